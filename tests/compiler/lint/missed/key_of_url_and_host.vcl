# A page of one host was stored as the page of another, whose name began like the end of the path.

sub vcl_hash {
    hash_data(req.url + req.http.host); #! CK014
    return (lookup);
}

#### without the fault

# A host has no slash, and a path begins with one: their border is known.

import std;

sub vcl_recv {
    set req.http.X-Site = std.tolower(regsub(req.http.host, ":[0-9]+$", ""));
}

sub vcl_hash {
    hash_data(req.http.X-Site + std.querysort(req.url));
    return (lookup);
}
