# The private pages answered 401 to everybody: credentials had been removed two lines above.

sub strip {
    unset req.http.Cookie;
    unset req.http.Authorization;
}
sub guard {
    if (!req.http.Authorization) { #! FL011
        return (synth(401));
    }
}
sub vcl_recv {
    call strip;
    if (req.url ~ "^/private/") {
        call guard;
    }
}
