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
