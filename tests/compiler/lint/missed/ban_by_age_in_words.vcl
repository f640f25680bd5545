# The unit is a letter.

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        ban("obj.age > 2 hours"); #! V325
        return (synth(200));
    }
}

#### without the fault

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        ban("obj.age > 2h");
        return (synth(200));
    }
}
