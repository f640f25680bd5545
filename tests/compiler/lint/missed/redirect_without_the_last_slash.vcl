# /en.evil.example was redirected to https://shop.example.evil.example

sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = "https://shop.example" + regsub(req.url, "^/en", ""); #! SEC020
        return (deliver);
    }
}
