# The reason carries the target. What it carries was chosen by the visitor.

sub vcl_recv {
    if (req.url ~ "[?&]return=") {
        return (synth(751, regsub(req.url, ".*[?&]return=([^&]*).*", "\1"))); #! SEC020
    }
}

sub vcl_synth {
    if (resp.status == 751) {
        set resp.http.Location = resp.reason;
        set resp.status = 302;
        return (deliver);
    }
}
