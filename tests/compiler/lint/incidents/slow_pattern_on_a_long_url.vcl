# https://github.com/varnishcache/varnish-cache/issues/2214
# A long URL took so many steps of a pattern that the worker died.

sub vcl_recv {
    if (req.url ~ "^/.*a.*b.*c.*d$") { #! RE011
        return (pass);
    }
}
