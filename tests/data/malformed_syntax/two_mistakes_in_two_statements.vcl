vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if req.url ~ "^/a") {      ### V214 needs parentheses
        return (pass);
    }
    set req.url = regsub(req.url, "a", "b"));      ### V207 closes nothing
    set req.http.A = "a" "b";      ### V218 missing operator between '"a"' and '"b"'
    set req.http.A = req.http.B server.identity;      ### V218 missing operator between 'req.http.B' and 'server.identity'
}
