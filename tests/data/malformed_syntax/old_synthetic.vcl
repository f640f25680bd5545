vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    synthetic {"<p>no</p>"};      ### V228 old VCL
}

sub vcl_deliver {
    unset resp.http.Server;
}
