# The mark is set under one name and asked for under another.

sub vcl_backend_response {
    set beresp.http.X-Cacheable = "yes";
}
sub vcl_deliver {
    if (resp.http.X-Cachable) { #! UN010
        set resp.http.X-Debug = "stored";
    }
}

#### without the fault

sub vcl_backend_response {
    set beresp.http.X-Cacheable = "yes";
}
sub vcl_deliver {
    if (resp.http.X-Cacheable) {
        set resp.http.X-Debug = "stored";
    }
}
