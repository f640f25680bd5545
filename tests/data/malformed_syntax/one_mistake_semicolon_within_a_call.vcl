vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    set req.url = regsub(req.url; "a", "b");      ### V206 missing ')'
    return (pass);
}
