# Somebody read the pattern as if the field still had capitals. Both patterns match; one note says it.

import std;

sub vcl_recv {
    set req.http.X-Host = std.tolower(req.http.Host);
    if (req.http.X-Host ~ "(?i)^WWW\.") { #! TY008
        return (pass);
    }
    if (req.http.X-Host ~ "(?i)^shop\.") {
        return (pass);
    }
}

#### without the fault

import std;

sub vcl_recv {
    set req.http.X-Host = std.tolower(req.http.Host);
    if (req.http.X-Host ~ "^www\.") {
        return (pass);
    }
    if (req.http.Host ~ "(?i)^shop\.") {
        return (pass);
    }
}
