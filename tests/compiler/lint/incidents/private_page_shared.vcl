# https://github.com/jonbaldie/varnish/pull/36
# The template stored answers that their origin had called private.

sub vcl_backend_response {
    call vcl_beresp_cookie;
    return (deliver); #! CS004
}
