# https://github.com/shopware/varnish-shopware/pull/42
# Parameters that only scripts read made a key for each visit.

sub vcl_recv { #! CK010
    call vcl_req_method;
    if (req.url ~ "^/media/") {
        unset req.http.Cookie;
    }
}
