# What was searched for is shown.

import std;
sub vcl_recv {
    set req.http.X-Q = regsub(req.url, "^.*[?&]q=([^&]*).*$", "\1"); #! SEC017
    return (synth(200));
}
sub vcl_synth {
    set resp.http.Content-Type = "text/html";
    synthetic("<b>" + req.http.X-Q + "</b>"); #! SEC008
    return (deliver);
}
