# Both parts of the text were in small letters.

import std;
sub vcl_recv {
    set req.http.X-Site = std.tolower(req.http.host) + "/" + std.tolower(req.url);
    if (req.http.X-Site ~ "^www\.example\.com/Checkout") { #! TY008
        return (pass);
    }
}

#### without the fault

import std;
sub vcl_recv {
    set req.http.X-Site = std.tolower(req.http.host) + "/" + std.tolower(req.url);
    if (req.http.X-Site ~ "^www\.example\.com/checkout") {
        return (pass);
    }
}
