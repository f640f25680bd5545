vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {      ### V205 never closed
if (req.restarts > 0) {
set req.url = "/";
}

sub vcl_deliver { }
