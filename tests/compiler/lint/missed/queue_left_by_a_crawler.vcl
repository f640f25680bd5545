# A search engine was not to wait behind others. Anybody can call himself by its name.

sub vcl_recv {
    if (req.http.User-Agent ~ "(?i)examplebot") {
        set req.hash_ignore_busy = true; #! SEC019
    }
}
