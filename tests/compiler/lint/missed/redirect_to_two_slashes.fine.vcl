# The test leaves no second slash to the client.

sub vcl_recv {
    if (req.url ~ "^/shop/.*\?ref=") {
        return (synth(301, regsub(req.url, "\?.*$", "")));
    }
}

sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = resp.reason;
        return (deliver);
    }
}
