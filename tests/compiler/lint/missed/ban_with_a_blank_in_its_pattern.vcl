# A blank ends the value, so that the rest of the pattern is no condition.

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        ban("obj.http.x-url ~ ^" + server.hostname + "( |$)"); #! V325
        return (synth(200));
    }
}

#### without the fault

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        ban("obj.http.x-url ~ ^" + server.hostname + "(/|$)");
        return (synth(200));
    }
}
