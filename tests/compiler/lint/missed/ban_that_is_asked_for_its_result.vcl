# std.ban() always said false.

import std;

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        if (std.ban("obj.http.x-tag == a b")) { return (synth(204)); } #! V325
        return (synth(200));
    }
}

#### without the fault

import std;

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        if (std.ban("obj.http.x-tag == a")) { return (synth(204)); }
        return (synth(200));
    }
}
