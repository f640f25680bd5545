# The language was made lower case in one hook, and compared in another.

import std;
sub vcl_recv {
    set req.http.X-Lang = std.tolower(regsub(req.http.Accept-Language, ",.*", ""));
}
sub vcl_hash {
    if (req.http.X-Lang == "en-US") { #! TY008
        hash_data("us");
    } else {
        hash_data(req.http.X-Lang);
    }
}

#### without the fault

import std;
sub vcl_recv {
    set req.http.X-Lang = std.tolower(regsub(req.http.Accept-Language, ",.*", ""));
}
sub vcl_hash {
    if (req.http.X-Lang == "en-us") {
        hash_data("us");
    } else {
        hash_data(req.http.X-Lang);
    }
}
