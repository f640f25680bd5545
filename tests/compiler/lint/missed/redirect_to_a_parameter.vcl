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
