# https://github.com/varnishcache/varnish-cache/issues/2410
# Each hit went to the origin, although the stored answer was fresh.

sub vcl_hit {
    if (obj.ttl > 0s) {
        return (pass); #! CS017
    }
}
