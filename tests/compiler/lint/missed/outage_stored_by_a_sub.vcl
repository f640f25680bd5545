# The lifetime by type stood in a sub of its own. Its caller had tested the status, for a log line.

import std;

sub vcl_backend_response {
    if (beresp.status >= 500) {
        std.log("origin failed");
    }
    call lifetime_by_type;
}

sub lifetime_by_type {
    if (beresp.http.Content-Type ~ "^text/html") {
        set beresp.ttl = 10m; #! CS009
    }
}

#### without the fault

# The sub is called for good responses only, and errors have a short lifetime of their own.

sub vcl_backend_response {
    if (beresp.status < 400) {
        call lifetime_by_type;
    } elseif (beresp.status >= 500) {
        call lifetime_of_errors;
    }
}

sub lifetime_by_type {
    if (beresp.http.Content-Type ~ "^text/html") {
        set beresp.ttl = 10m;
    }
}

sub lifetime_of_errors {
    set beresp.ttl = 2m;
}
