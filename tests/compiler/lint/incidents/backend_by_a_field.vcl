# https://www.fastly.com/security-advisories/cache-poisoning-leveraging-various-x-headers
# A field that is no part of the key went to the origin and changed its answer.

sub vcl_recv {
    if (req.http.X-Original-URL) { #! CK001
        set req.http.X-Path = req.http.X-Original-URL;
    }
}
