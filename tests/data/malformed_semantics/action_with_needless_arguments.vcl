vcl 4.1;
backend origin none;

sub vcl_recv {
    return (hash(5));                           ### V407 "hash"
}
