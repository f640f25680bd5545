# The origin names the lifetime in a field. Its proxy sends 503 without it, and then the fallback counts.

import std;

sub vcl_backend_response {
    set beresp.ttl = std.duration(beresp.http.X-Cache-For, 1h); #! CS009
}
