vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_backend_response {
    set beresp.ttl = ${TTL:-120}s;      ### V245 template
    if (!${KEEP:-false}) {
        set beresp.keep = 5m;
    }
}

sub vcl_deliver {
    set resp.http.X = "${KEPT}";
    set resp.http.Y = ;      ### V223 a value is missing
}
