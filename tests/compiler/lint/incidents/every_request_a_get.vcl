# https://github.com/IBM/varnish-operator/issues/78
# A return in the default policy of an operator turned all methods into GET.

sub vcl_recv {
    call vcl_req_authorization;
    unset req.http.Cookie;
    return (hash); #! CS003
}
