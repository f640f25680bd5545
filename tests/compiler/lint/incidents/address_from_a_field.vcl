# https://github.com/ezsystems/ezplatform/pull/93
# The address for a list came from a field that each client can write.

import std;

acl friends {
    "192.0.2.7";
}

sub vcl_recv {
    if (std.ip(req.http.X-Forwarded-For, "0.0.0.0") ~ friends) { #! SEC004
        return (pass);
    }
}
