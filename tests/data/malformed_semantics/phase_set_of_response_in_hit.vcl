vcl 4.1;
backend origin none;

sub vcl_hit {
    set beresp.ttl = 1s;                        ### V402 "beresp.ttl cannot be set in vcl_hit"
}
