# The log had empty classes for a year.

import std;
sub vcl_recv {
    set req.http.X-Request-Class = "page";
    if (req.url ~ "[.]css$") {
        set req.http.X-Request-Class = "asset";
    }
    std.log("class:" + req.http.X-Reqest-Class); #! UN010
}
