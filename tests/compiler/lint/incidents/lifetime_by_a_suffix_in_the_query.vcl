# https://github.com/Lullabot/varnish/pull/4
# A test for files took the query, so that a page could be stored as a file.

sub vcl_recv {
    call vcl_req_authorization;
    if (req.method == "GET") {
        return (hash); #! CS003
    }
}

sub vcl_backend_response {
    if (bereq.url ~ "(?i)\.(gif|jpe?g|pdf)(\?.*)?$" && beresp.status == 200) { #! CS013
        set beresp.ttl = 7d;
    }
}
