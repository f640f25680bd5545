# https://github.com/varnishcache/varnish-cache/issues/758
# A restart appended to the field once more.

sub vcl_recv {
    set req.http.X-Via = req.http.X-Via + " edge"; #! SEC009
}

sub vcl_deliver {
    if (resp.status == 503 && req.restarts == 0) {
        return (restart);
    }
}
