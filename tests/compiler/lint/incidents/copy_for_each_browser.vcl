# https://www.section.io/blog/vary-user-agent-http-response-header-varnish-cache/
# Each browser had copies of its own, and almost no request was a hit.

sub vcl_hash {
    hash_data(req.http.User-Agent); #! CK007
}
