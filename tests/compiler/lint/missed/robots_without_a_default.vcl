# The default was never set.

sub vcl_deliver {
    if (resp.http.X-Robots == "") { #! TY001
        set resp.http.X-Robots = "noindex";
    }
}
