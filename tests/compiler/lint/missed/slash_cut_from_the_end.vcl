# //other.example/ lost its last slash, and was a host.

sub vcl_recv {
    if (req.url ~ ".+/$") {
        return (synth(301));
    }
}
sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = regsub(req.url, "/$", ""); #! SEC020
        return (deliver);
    }
}

#### without the fault

sub vcl_recv {
    if (req.url ~ ".+/$") {
        if (req.url ~ "^//") { return (synth(400)); }
        return (synth(301));
    }
}
sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = regsub(req.url, "/$", "");
        return (deliver);
    }
}
