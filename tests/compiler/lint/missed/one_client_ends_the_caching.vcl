# One client's reload made the page uncacheable for everybody.

sub vcl_backend_response {
    if (bereq.http.Cache-Control ~ "no-cache") {
        set beresp.uncacheable = true; #! SEC019
    }
}
