# https://github.com/jonbaldie/varnish/issues/58
# The list of who may purge had whole private networks, so that any container could.

acl purgers {
    "localhost";
    "10.0.0.0"/8; #! SEC002
}

sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(405));
        }
        return (purge);
    }
}
