# The cookie was removed from the response, and then decided whether to store it.

sub vcl_backend_response {
    unset beresp.http.Set-Cookie; #! CS002
    if (beresp.http.Set-Cookie ~ "session=") { #! FL011
        set beresp.uncacheable = true;
    }
}

#### without the fault

sub vcl_backend_response {
    if (beresp.http.Set-Cookie ~ "session=") {
        set beresp.uncacheable = true;
        return (deliver);
    }
}
