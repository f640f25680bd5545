# https://github.com/dreamhost/varnish-vcl-collection/pull/1
# The cache did not start, because a list of addresses was never used.

acl cloudflare { #! V602
    "192.0.2.0"/24;
}
