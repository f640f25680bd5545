# A mail with a link to the shop led to a copy of its login: /go?to=https://shop.example.evil/

sub vcl_recv {
    if (req.url ~ "^/go\?to=") {
        return (synth(302));
    }
}

sub vcl_synth {
    if (resp.status == 302) {
        set resp.http.Location = regsub(req.url, "^/go\?to=", ""); #! SEC020
        return (deliver);
    }
}

#### without the fault

# Only two partners are targets: the first pattern names them.

sub vcl_recv {
    if (req.url ~ "^/go\?to=https://(one|two)\.partner\.example/") {
        return (synth(302, regsub(req.url, "^/go\?to=(.*)$", "\1")));
    }
    if (req.url ~ "^/shop/.*\?ref=") {
        return (synth(303));
    }
}

sub vcl_synth {
    if (resp.status == 302) {
        set resp.http.Location = resp.reason;
        return (deliver);
    }
    if (resp.status == 303) {
        set resp.http.Location = regsub(req.url, "\?.*$", "");
        return (deliver);
    }
}
