# Responses without tags counted as tagged, and no purge found them.

sub vcl_backend_response {
    if (beresp.http.Surrogate-Key != "") { #! TY001
        set beresp.ttl = 1d;
        set beresp.http.X-Taggable = "yes";
    }
    if (beresp.status >= 400) { set beresp.ttl = 0s; set beresp.uncacheable = true; }
}
