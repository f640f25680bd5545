# Failing machines did not send the field with the lifetime.

import std;
sub vcl_backend_response {
    if (beresp.http.X-Edge-TTL) {
        set beresp.ttl = std.duration(beresp.http.X-Edge-TTL, 60s);
    } else {
        set beresp.ttl = 2h; #! CS009
    }
}
