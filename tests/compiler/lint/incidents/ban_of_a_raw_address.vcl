# https://github.com/CartoDB/cartodb/issues/7868
# A purge with a pattern in its URL was put into the expression of a ban.

acl purgers {
    "localhost";
}

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ purgers) {
        ban("obj.http.X-Url ~ " + req.url); #! SEC010
        return (synth(200));
    }
}
