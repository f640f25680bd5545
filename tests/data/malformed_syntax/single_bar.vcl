vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    if (req.url | req.esi) { }      ### V105 '|' is not part of VCL
}

sub vcl_deliver {
    unset resp.http.Server;
}
