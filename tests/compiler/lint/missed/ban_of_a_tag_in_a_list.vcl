# No ban was ever added: the pattern has a blank.

acl editors { "192.0.2.0"/24; }
sub vcl_recv {
    if (req.method == "PURGETAGS") {
        if (client.ip !~ editors) { return (synth(405)); }
        ban("obj.http.X-Tags ~ (^|,)" + req.http.X-Tag + "( |$)"); #! V325 SEC010
        return (synth(200));
    }
}
