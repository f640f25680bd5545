# https://github.com/varnishcache/varnish-cache/issues/1576
# A pattern with repeats inside of a repeat took all of a processor.

sub vcl_recv {
    if (req.url ~ "^/(a+)+$") { #! RE003
        return (pass);
    }
}
