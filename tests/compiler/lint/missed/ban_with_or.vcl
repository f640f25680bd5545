# Conditions can only be joined by &&.

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        ban("obj.http.x-url ~ ^/news/ || obj.status == 404"); #! V325
        return (synth(200));
    }
}

#### without the fault

acl office { "192.0.2.0"/24; }

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ office) {
        ban("obj.http.x-url ~ ^/news/ && obj.status == 404");
        return (synth(200));
    }
}
