# https://github.com/magento/magento2/pull/40675
# A failed refresh in the background replaced the good copy that was served until then.

sub vcl_backend_response {
    set beresp.grace = 3d; #! CS010
    if (beresp.status >= 500) {
        set beresp.ttl = 1s;
    }
}
