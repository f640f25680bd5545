vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.hash_always_miss += true;           ### V320 "+= does not work on BOOL"
}
