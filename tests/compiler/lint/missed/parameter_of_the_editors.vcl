# A parameter for editors cost a night.

sub vcl_recv {
    if (req.url ~ "[?&]nocache") {
        set req.hash_always_miss = true; #! SEC019
    }
}
