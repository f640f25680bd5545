# Both forms of a reload went to the origin.

sub vcl_recv {
    if (req.http.Pragma ~ "no-cache" || req.http.Cache-Control ~ "no-cache") {
        set req.hash_always_miss = true; #! SEC019
    }
}
