# The job that warms the cache knows a word, and comes from anywhere.

import std;

sub vcl_recv {
    if (req.http.X-Refresh == std.getenv("REFRESH_WORD")) {
        set req.hash_always_miss = true;
    }
    if (req.http.X-Bypass-Cache == std.fileread("/etc/vernis/bypass")) {
        return (pass);
    }
}
