# The text that was looked for has a capital.

import std;
sub vcl_recv {
    if (std.strstr(std.tolower(req.http.User-Agent), "Bingbot")) { #! TY008
        return (pass);
    }
}

#### without the fault

import std;
sub vcl_recv {
    if (std.strstr(std.tolower(req.http.User-Agent), "bingbot")) {
        return (pass);
    }
}
