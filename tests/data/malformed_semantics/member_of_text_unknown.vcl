vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.url = req.url.trim();               ### V322 "STRING has no method trim"
}
