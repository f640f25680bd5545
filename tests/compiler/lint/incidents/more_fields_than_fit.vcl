# https://github.com/varnishcache/varnish-cache/issues/4232
# An answer got more fields than a message can have.

sub vcl_deliver {
    set resp.http.X-Debug-1 = "1";
    set resp.http.X-Debug-2 = "1";
    set resp.http.X-Debug-3 = "1";
    set resp.http.X-Debug-4 = "1";
    set resp.http.X-Debug-5 = "1";
    set resp.http.X-Debug-6 = "1";
    set resp.http.X-Debug-7 = "1";
    set resp.http.X-Debug-8 = "1";
    set resp.http.X-Debug-9 = "1";
    set resp.http.X-Debug-10 = "1";
    set resp.http.X-Debug-11 = "1";
    set resp.http.X-Debug-12 = "1";
    set resp.http.X-Debug-13 = "1";
    set resp.http.X-Debug-14 = "1";
    set resp.http.X-Debug-15 = "1";
    set resp.http.X-Debug-16 = "1";
    set resp.http.X-Debug-17 = "1";
    set resp.http.X-Debug-18 = "1";
    set resp.http.X-Debug-19 = "1";
    set resp.http.X-Debug-20 = "1";
    set resp.http.X-Debug-21 = "1";
    set resp.http.X-Debug-22 = "1";
    set resp.http.X-Debug-23 = "1";
    set resp.http.X-Debug-24 = "1";
    set resp.http.X-Debug-25 = "1";
    set resp.http.X-Debug-26 = "1";
    set resp.http.X-Debug-27 = "1";
    set resp.http.X-Debug-28 = "1";
    set resp.http.X-Debug-29 = "1";
    set resp.http.X-Debug-30 = "1";
    set resp.http.X-Debug-31 = "1";
    set resp.http.X-Debug-32 = "1";
    set resp.http.X-Debug-33 = "1"; #! TY007
}
