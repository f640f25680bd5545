# A host has no slash, and a path begins with one: their border is known.

import std;

sub vcl_recv {
    set req.http.X-Site = std.tolower(regsub(req.http.host, ":[0-9]+$", ""));
}

sub vcl_hash {
    hash_data(req.http.X-Site + std.querysort(req.url));
    return (lookup);
}
