# The login sent people wherever the link said.

sub vcl_recv {
    if (req.url ~ "^/login-done") {
        return (synth(302, regsub(req.url, "^.*[?&]return=([^&]+).*$", "\1"))); #! SEC020
    }
}
sub vcl_synth {
    if (resp.status == 302) {
        set resp.http.Location = resp.reason;
        return (deliver);
    }
}
