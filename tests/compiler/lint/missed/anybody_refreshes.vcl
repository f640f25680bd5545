# The editors' button sent a field. So did a stranger, four hundred times a second.

sub vcl_recv {
    if (req.http.X-Refresh) {
        set req.hash_always_miss = true; #! SEC019
    }
}

#### without the fault

# Only the editors' network may fetch a page anew.

acl editors { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.http.X-Refresh) {
        if (client.ip !~ editors) {
            return (synth(403));
        }
        set req.hash_always_miss = true;
    }
}
