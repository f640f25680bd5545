# https://github.com/httpoxy/httpoxy-org/pull/6
# PHP behind the cache took the field Proxy for its own proxy.

sub vcl_recv { #! SEC013
    if (req.url ~ "\.php") {
        return (pass);
    }
}
