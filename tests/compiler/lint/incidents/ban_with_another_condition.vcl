# https://github.com/FriendsOfSymfony/FOSHttpCache/pull/594
# A value of a field could add to the expression of the ban.

acl invalidators {
    "192.0.2.30";
}

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ invalidators) {
        ban("obj.http.X-Cache-Tags ~ " + req.http.X-Cache-Tags); #! SEC010
        return (synth(200));
    }
}
