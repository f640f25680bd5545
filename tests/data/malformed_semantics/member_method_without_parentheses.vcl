vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.url = req.url.lower;                ### V322 "lower is a method"
}
