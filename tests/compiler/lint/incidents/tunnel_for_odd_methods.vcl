# https://github.com/elgentos/magento2-varnish-extended/pull/86
# Unknown methods opened a tunnel to the origin.

sub vcl_recv {
    if (req.method !~ "^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$") {
        return (pipe); #! SEC012
    }
}
