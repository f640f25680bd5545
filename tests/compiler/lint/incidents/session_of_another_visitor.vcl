# https://github.com/openstax/webview/issues/955
# Visitors were logged in as somebody else: the response with the session's cookie was stored.

sub vcl_backend_response {
    if (beresp.status == 200) {
        set beresp.ttl = 1h;
        return (deliver); #! CS001
    }
}
