vcl 4.0;
backend origin none;

sub vcl_recv {
    set req.http."X.Y" = "1";                   ### V311 "needs vcl 4.1"
}
