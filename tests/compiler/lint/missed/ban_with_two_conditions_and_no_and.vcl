# The second condition needs && before it.

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        ban("obj.http.x-url == /a obj.status == 200"); #! V325
        return (synth(200));
    }
}

#### without the fault

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        ban("obj.http.x-url == /a && obj.status == 200");
        return (synth(200));
    }
}
