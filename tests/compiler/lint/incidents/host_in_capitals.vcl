# https://github.com/jonbaldie/varnish/issues/76
# The same host in capitals, or with its port, was another one for the policy.

sub vcl_recv {
    if (req.http.host == "shop.example") { #! CK009
        set req.url = "/shop" + req.url;
    }
}
