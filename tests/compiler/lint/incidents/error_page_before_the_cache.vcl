# https://github.com/pypi/infra/pull/17
# While the origin was down, visitors got an error although a stale copy was there.

import std;

sub vcl_recv {
    if (!std.healthy(req.backend_hint)) {
        return (synth(503, "Down for maintenance")); #! CS012
    }
}
