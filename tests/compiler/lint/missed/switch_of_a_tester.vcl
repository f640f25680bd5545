# The field of a tester stayed, and a robot found it.

sub vcl_recv {
    if (req.http.X-Cache-Bust == "1") {
        set req.hash_always_miss = true; #! SEC019
    }
}
