# What the client writes ends the name of the host.

sub vcl_synth {
    if (resp.status == 302) {
        set resp.http.Location = "https://www.example.com" + regsub(req.url, "^/go\?p=", ""); #! SEC020
        return (deliver);
    }
}
