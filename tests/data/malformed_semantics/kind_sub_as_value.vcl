vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.http.X = vcl_hash;                  ### V323 "vcl_hash is a sub"
}
