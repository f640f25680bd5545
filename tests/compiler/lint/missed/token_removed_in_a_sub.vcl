# A sub that tidies up removed the token before its test.

sub strip { unset req.http.Authorization; unset req.http.X-Debug; }
sub vcl_recv {
    call strip;
    if (req.http.Authorization ~ "^Bearer ") { #! FL011
        return (pass);
    }
}
