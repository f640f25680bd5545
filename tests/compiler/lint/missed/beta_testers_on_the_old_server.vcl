# The cookie of the fetch was removed in the hook that chooses by it.

backend b1 { .host = "192.0.2.1"; }
backend b2 { .host = "192.0.2.2"; }
sub vcl_backend_fetch {
    unset bereq.http.Cookie;
    if (bereq.http.Cookie ~ "beta=1") { #! FL011
        set bereq.backend = b2;
    } else {
        set bereq.backend = b1;
    }
}

#### without the fault

backend b1 { .host = "192.0.2.1"; }
backend b2 { .host = "192.0.2.2"; }
sub vcl_backend_fetch {
    if (bereq.http.Cookie ~ "beta=1") {
        set bereq.backend = b2;
    } else {
        set bereq.backend = b1;
    }
}
