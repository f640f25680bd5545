# A short outage of the media server was shown for a week.

sub vcl_backend_response {
    if (bereq.url ~ "^/media/") {
        unset beresp.http.Set-Cookie;
        set beresp.ttl = 7d; #! CS009
    }
}
