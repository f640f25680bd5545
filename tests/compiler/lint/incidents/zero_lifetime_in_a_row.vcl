# https://github.com/magento/magento2/pull/33604
# Requests for pages that are not stored were fetched one after another.

sub vcl_backend_response {
    if (beresp.http.Cache-Control ~ "private") {
        set beresp.ttl = 0s;
        return (deliver); #! CS006
    }
}
