# A response for a cookie was meant to stay out of the cache.

sub vcl_recv {
    unset req.http.Cookie;
}
sub vcl_backend_response {
    if (bereq.http.Cookie) { #! FL011
        set beresp.uncacheable = true;
    }
}

#### without the fault

sub vcl_recv {
    if (req.url ~ "[.]css$") { #! CS013
        unset req.http.Cookie;
    }
}
sub vcl_backend_response {
    if (bereq.http.Cookie) {
        set beresp.uncacheable = true;
    }
}
