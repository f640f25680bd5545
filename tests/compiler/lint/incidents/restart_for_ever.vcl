# https://github.com/magento/magento2/issues/24353
# An expired page was restarted until the limit, and ended in an error.

sub vcl_deliver {
    if (resp.status == 503) {
        return (restart); #! FL006
    }
}
