# https://github.com/varnishcache/varnish-cache/issues/2380
# The example's dots matched any character.

sub vcl_recv {
    if (req.http.Host ~ "^(www.)?shop.example$") { #! RE001
        return (pass);
    }
}
