# https://github.com/jonbaldie/varnish/issues/71
# Old pages were served although the origin asked for revalidation.

sub vcl_backend_response {
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
    set beresp.grace = 1d; #! CS011
}
