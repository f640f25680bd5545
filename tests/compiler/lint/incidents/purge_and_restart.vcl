# https://github.com/mattiasgeniar/varnish-4.0-configuration-templates/pull/6
# A purge began its request anew, and was a purge again.

acl purgers {
    "192.0.2.40";
}

sub vcl_recv {
    if (req.method == "PURGE" && client.ip ~ purgers) {
        return (purge);
    }
}

sub vcl_purge {
    return (restart); #! FL010
}
