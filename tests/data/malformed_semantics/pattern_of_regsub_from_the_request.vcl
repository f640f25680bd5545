vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.url = regsub(req.url, req.http.P, "b");     ### V308 "text in quotes"
}
