# shop=evil.example/ is no shop.

sub vcl_synth {
    if (resp.status == 302) {
        set resp.http.Location = "https://" + regsub(req.url, "^.*[?&]shop=([^&]*).*$", "\1") + ".example.com/"; #! SEC017 SEC020
        return (deliver);
    }
}
