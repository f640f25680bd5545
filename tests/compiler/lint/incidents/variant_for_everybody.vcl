# https://github.com/elgentos/magento2-varnish-extended/pull/127
# Vary was dropped, and visitors got the page of another store view.

sub vcl_backend_response {
    if (bereq.url !~ "^/media/") {
        unset beresp.http.Vary; #! CK006
    }
}
