# https://github.com/magento/magento2/issues/39147
# The login failed silently: its cookie was removed from every answer to a GET.

sub vcl_backend_response {
    if (bereq.method == "GET" || bereq.method == "HEAD") {
        unset beresp.http.Set-Cookie; #! CS002
    }
}
