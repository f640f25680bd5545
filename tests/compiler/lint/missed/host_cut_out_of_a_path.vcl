# The first part of the path was the host.

sub vcl_recv {
    if (req.url ~ "^/to/") {
        set req.http.X-To = regsub(req.url, "^/to/([^/]+).*", "//\1/"); #! SEC020
        return (synth(307));
    }
}
sub vcl_synth {
    if (resp.status == 307) {
        set resp.http.Location = req.http.X-To;
        return (deliver);
    }
}
