vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.http.X = req;                       ### V301 "HTTP is not STRING"
}
