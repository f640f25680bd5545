# https://github.com/nexcess/magento-turpentine/pull/1238
# Static files were looked up before the URL was tidied.

sub vcl_recv {
    call vcl_req_method;
    if (req.url ~ "^/skin/") {
        unset req.http.Cookie;
        call vcl_req_authorization;
        return (hash);
    }
    set req.url = regsuball(req.url, "//+", "/"); #! CK013
}
