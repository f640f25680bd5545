# The way out of the site led anywhere, under the name of the site.

sub vcl_recv {
    if (req.url ~ "^/out/") {
        set req.http.X-Target = regsub(req.url, "^/out/", ""); #! SEC020
        return (synth(302));
    }
}
sub vcl_synth {
    if (resp.status == 302) {
        set resp.http.Location = req.http.X-Target;
        return (deliver);
    }
}
