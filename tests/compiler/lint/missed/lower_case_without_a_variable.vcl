# The path with a capital is never found in a path of small letters.

import std;

sub vcl_recv {
    if (std.tolower(req.url) ~ "^/Admin/") { #! TY008
        return (pass);
    }
}

#### without the fault

import std;

sub vcl_recv {
    if (std.tolower(req.url) ~ "^/admin/") {
        return (pass);
    }
}
