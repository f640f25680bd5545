# https://github.com/varnishcache/varnish-cache/issues/1137
# The rollback took the mark of the second round away with everything else.

import std;

sub vcl_deliver {
    if (resp.status == 404 && !req.http.X-Second) {
        set req.http.X-Second = "1";
        std.rollback(req);
        return (restart); #! FL007
    }
}
