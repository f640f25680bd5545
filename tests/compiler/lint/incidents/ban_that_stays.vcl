# https://kly.no/posts/2010_07_28__Smart_bans_with_Varnish__.html
# Bans on the request piled up, because only a request can test them.

acl invalidators {
    "192.0.2.30";
}

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ invalidators) {
        ban("req.url ~ ^/news"); #! DEP009
        return (synth(200));
    }
}
