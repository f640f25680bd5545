# https://github.com/magento/magento2/pull/40677
# A return for the API skipped the built-in tests, so private answers were shared.

sub vcl_recv {
    if (req.url ~ "^/rest/" && !req.http.Authorization) {
        return (hash); #! CS003
    }
}
