# The redirect to the same page without a query also served //evil.example/, which is another host.

sub vcl_recv {
    if (req.url ~ "\?ref=") {
        return (synth(301));
    }
}

sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = regsub(req.url, "\?.*$", ""); #! SEC020
        return (deliver);
    }
}

#### without the fault

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
