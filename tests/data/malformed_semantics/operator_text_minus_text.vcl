vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.url = req.url - "x";                ### V303 "STRING - STRING"
}
