# https://github.com/varnishcache/varnish-cache/issues/3823
# The policy sent Range to the origin of a cacheable request, and the fetch failed.

sub vcl_recv {
    unset req.http.X-Part;
    if (req.http.Range) {
        set req.http.X-Part = req.http.Range;
    }
}

sub vcl_hash {
    hash_data(req.http.X-Part);
}

sub vcl_backend_fetch {
    if (bereq.http.X-Part) {
        set bereq.http.Range = bereq.http.X-Part;
    }
}

sub vcl_backend_response {
    if (beresp.http.X-Whole) {
        set beresp.http.Content-Range = "bytes 0-99/100"; #! CS015
    }
}
