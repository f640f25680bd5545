vcl 4.1;
backend origin none;

sub vcl_recv {
    hash_data(req.url);                         ### V404 "hash_data cannot be used in vcl_recv"
}
