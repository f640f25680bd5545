# One letter too many in the key.

sub vcl_recv {
    if (req.http.User-Agent ~ "(?i)mobile") {
        set req.http.X-UA-Device = "mobile"; #! CK001
    } else {
        set req.http.X-UA-Device = "desktop";
    }
}
sub vcl_hash {
    hash_data(req.http.X-UA-Devices); #! UN010
}

#### without the fault

sub vcl_recv {
    if (req.http.User-Agent ~ "(?i)mobile") {
        set req.http.X-UA-Device = "mobile";
    } else {
        set req.http.X-UA-Device = "desktop";
    }
}
sub vcl_hash {
    hash_data(req.http.X-UA-Device);
}

#### without the fault

# The origin has a field whose name begins like one of the policy.

sub vcl_backend_response {
    if (beresp.http.X-Cacheable ~ "YES") {
        set beresp.grace = 1m;
    }
}
sub vcl_deliver {
    set resp.http.X-Cache = "HIT";
}
