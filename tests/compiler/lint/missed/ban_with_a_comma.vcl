# A comma in place of && made the ban void.

acl editors { "192.0.2.0"/24; }
sub vcl_recv {
    if (req.method == "BANHOST") {
        if (client.ip !~ editors) { return (synth(405)); }
        ban("req.http.host == " + req.http.host + ", req.url ~ ^/news"); #! V325 DEP009
        return (synth(200));
    }
}
