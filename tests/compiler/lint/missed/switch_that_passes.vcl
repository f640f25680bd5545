# A field of the operators, sent by anybody, skipped the cache.

sub vcl_recv {
    if (req.http.X-Skip-Edge) {
        return (pass); #! SEC019
    }
}

#### without the fault

sub vcl_recv {
    if (req.http.X-Edge-Of-The-Table) {
        return (pass);
    }
}
