vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.url ~ "^/a" &&
        req.method; == "GET" ||      ### V206 missing ')'
        req.method == "HEAD") {
        return (pass);
    } else {
        return (pipe);
    }
}
