# The editors' button sent a field. So did a stranger, four hundred times a second.

sub vcl_recv {
    if (req.http.X-Refresh) {
        set req.hash_always_miss = true; #! SEC019
    }
}
