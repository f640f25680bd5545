# Cameras write JPG, and the path was made lower case before.

import std;
sub vcl_recv {
    if (std.tolower(regsub(req.url, "\?.*", "")) ~ "\.(JPG|PNG|GIF)$") { #! TY008
        unset req.http.Cookie;
    }
}

#### without the fault

import std;
sub vcl_recv {
    if (std.tolower(regsub(req.url, "\?.*", "")) ~ "\.(jpg|png|gif)$") {
        unset req.http.Cookie;
    }
}
