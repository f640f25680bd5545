# Purges were not refused.

import std;
sub vcl_recv {
    if (std.toupper(req.method) == "purge") { #! TY008
        return (synth(405));
    }
}
