vcl 4.1;
backend origin none;

sub vcl_hit {
    set obj.ttl = 1s;                           ### V402 "obj.ttl cannot be set in vcl_hit"
}
