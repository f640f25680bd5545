# The office is a part of the network.

acl lan { "10.0.0.0"/8; }
acl office { "10.1.0.0"/16; }
sub vcl_recv {
    if (client.ip ~ lan) {
        set req.http.X-Zone = "lan"; #! CK001
    } elseif (client.ip ~ office) { #! FL002
        return (pass);
    }
}
