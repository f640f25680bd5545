# No answer of the API had the short lifetime.

sub vcl_backend_response {
    if (bereq.url ~ "^/api/") {
        set beresp.http.X-Cache-Class = "short";
    }
    if (beresp.http.X-Cahce-Class == "short") { #! UN010
        set beresp.ttl = 5s;
        set beresp.uncacheable = false;
    }
}
