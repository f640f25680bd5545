vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.url = -req.url;                     ### V309 "STRING has no negative"
}
