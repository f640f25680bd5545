# The pages of members were stored: the mark is in the request.

sub vcl_recv {
    if (req.url ~ "^/members/") {
        set req.http.X-Private = "1";
    }
}
sub vcl_backend_response {
    if (beresp.http.X-Private) { #! UN010
        set beresp.uncacheable = true;
    }
}

#### without the fault

sub vcl_recv {
    if (req.url ~ "^/members/") {
        set req.http.X-Private = "1";
    }
}
sub vcl_backend_response {
    if (bereq.http.X-Private) {
        set beresp.uncacheable = true;
    }
}

#### without the fault

sub vcl_recv {
    if (req.url ~ "^/members/") {
        set req.http.X-Private = "1";
    }
}
sub vcl_backend_response {
    if (bereq.http.X-Private || beresp.http.X-Private) {
        set beresp.uncacheable = true;
    }
}
