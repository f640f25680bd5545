vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.http.X = req.methd;                 ### V302 "req.methd"
}
