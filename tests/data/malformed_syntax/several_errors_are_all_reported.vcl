vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    set req.url = ;      ### V223 missing
    if (req.url = "/") {      ### V217 assigns
        remove req.http.Cookie;      ### V228 old VCL
    } else if req.esi {      ### V214 needs parentheses
        call x      ### V202 missing
    }
    return hash;      ### V235 the action of return needs parentheses
}

acl a { 10.0.0.1; "10.0.0.2"; }      ### V230 an address in an ACL needs quotes
sub vcl_deliver { set resp.http.X = "a" "b"; }      ### V218 missing operator between
