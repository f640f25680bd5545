# Requests without a signature got in.

import std;
acl office { "192.0.2.0"/24; } #! V602
sub vcl_recv {
    if (req.http.X-Signature == "") { #! TY001
        return (synth(403));
    }
    return (pass);
}

#### without the fault

import std;
acl office { "192.0.2.0"/24; } #! V602
sub vcl_recv {
    if (req.http.X-Signature ~ "^$") {
        return (synth(403));
    }
    return (pass);
}
