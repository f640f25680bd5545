# The ampersands became a part of the value.

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        ban("obj.http.x-host == " + req.proto + "&& obj.http.x-kind == page"); #! V325
        return (synth(200));
    }
}

#### without the fault

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        ban("obj.http.x-host == " + req.proto + " && obj.http.x-kind == page");
        return (synth(200));
    }
}
