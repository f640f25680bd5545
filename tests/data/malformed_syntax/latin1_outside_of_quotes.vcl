vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    set req.http.X = café;      ### V105 'Ã©' is not part of VCL
}
