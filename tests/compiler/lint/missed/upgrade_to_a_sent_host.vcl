# The step to https went to a host that the client named.

sub vcl_recv {
    if (req.http.X-Forwarded-Proto != "https") { return (synth(750)); }
}
sub vcl_synth {
    if (resp.status == 750) {
        set resp.status = 301;
        set resp.http.Location = "https://" + req.http.X-Forwarded-Host + req.url; #! SEC020
        return (deliver);
    }
}
