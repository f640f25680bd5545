# https://github.com/varnishcache/varnish-cache/issues/4291
# Requests waited for a hanging origin until no thread was left.

backend admin { #! BE001
    .host = "192.0.2.60";
    .max_connections = 99;
}

sub vcl_recv {
    set req.backend_hint = admin;
}
