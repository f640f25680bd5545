# Each request was redirected, those over https, too.

import std;
sub vcl_recv {
    set req.http.X-Scheme = std.tolower(req.http.X-Forwarded-Proto);
    if (req.http.X-Scheme != "HTTPS") { #! TY008
        return (synth(301));
    }
}

#### without the fault

import std;
sub vcl_recv {
    set req.http.X-Scheme = std.tolower(req.http.X-Forwarded-Proto);
    if (req.http.X-Scheme != "https") {
        return (synth(301));
    }
}
