vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if req.url ~ "^/a") {      ### V214 needs parentheses
        return (pass);
    }
}
