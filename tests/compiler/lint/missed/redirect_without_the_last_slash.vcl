# /en.evil.example was redirected to https://shop.example.evil.example

sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = "https://shop.example" + regsub(req.url, "^/en", ""); #! SEC020
        return (deliver);
    }
}

#### without the fault

# The URL of a request begins with a slash, which ends the host.

import std;

sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = "https://shop.example" + std.querysort(req.url);
        return (deliver);
    }
    if (resp.status == 302) {
        set resp.http.Location = "https://" + req.http.host + regsub(req.url, "/+$", "");
        return (deliver);
    }
}
