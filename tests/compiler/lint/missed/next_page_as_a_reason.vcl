# The target goes through the reason of a synth() in a sub.

sub go {
    return (synth(750, req.http.X-Next)); #! SEC020
}
sub vcl_recv {
    if (req.url == "/next") {
        call go;
    }
}
sub vcl_synth {
    if (resp.status == 750) {
        set resp.status = 302;
        set resp.http.Location = resp.reason;
        return (deliver);
    }
}
