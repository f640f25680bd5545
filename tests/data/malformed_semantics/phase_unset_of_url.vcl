vcl 4.1;
backend origin none;

sub vcl_recv {
    unset req.url;                              ### V403 "req.url cannot be unset"
}
