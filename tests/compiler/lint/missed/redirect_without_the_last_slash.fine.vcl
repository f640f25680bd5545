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
