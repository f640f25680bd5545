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

#### without the fault

# The reason carries a target of the policy. The text of the page with another status is no target.

sub vcl_recv {
    if (req.http.host ~ "^www\.") {
        return (synth(751, "https://" + regsub(req.http.host, "^www\.", "") + req.url));
    }
    if (req.url ~ "^/old/") {
        return (synth(752, regsub(req.url, "^/old/", "/new/")));
    }
    if (req.url == "/gone") {
        return (synth(410, "This page is gone"));
    }
}

sub vcl_synth {
    if (resp.status == 751 || resp.status == 752) {
        set resp.http.Location = resp.reason;
        set resp.status = 301;
        return (deliver);
    }
}
