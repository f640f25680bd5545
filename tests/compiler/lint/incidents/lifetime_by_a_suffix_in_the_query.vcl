# https://github.com/Lullabot/varnish/pull/4
# A test for files took the query, so that a page could be stored as a file.

sub vcl_backend_response {
    if (bereq.url ~ "(?i)\.(gif|jpe?g|pdf)(\?.*)?$" && beresp.status == 200) { #! CS013
        unset beresp.http.Set-Cookie;
        set beresp.ttl = 7d;
    }
}
