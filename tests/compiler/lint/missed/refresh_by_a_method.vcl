# Purges were tested against the ACL. The method that fetches anew was added below the test.

acl purgers { "127.0.0.1"; }

sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(405));
        }
        return (purge);
    }
    if (req.method == "REFRESH") {
        set req.method = "GET";
        set req.hash_always_miss = true; #! SEC019
    }
}

#### without the fault

# One test for both methods. The second round after an error of a member is no wish of a client.

acl purgers { "127.0.0.1"; }

sub vcl_recv {
    if (req.method == "PURGE" || req.method == "REFRESH") {
        if (client.ip !~ purgers) {
            return (synth(405));
        }
    }
    if (req.method == "PURGE") {
        return (purge);
    }
    if (req.method == "REFRESH") {
        set req.method = "GET";
        set req.hash_always_miss = true;
    }
    if (req.restarts > 0) {
        set req.hash_always_miss = true;
    }
}

#### without the fault

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
