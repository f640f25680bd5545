vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.url = regsub(req.url, "[a", "b");   ### V307 "not valid"
}
