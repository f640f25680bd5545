vcl 4.1;
backend origin none;

sub vcl_recv {
    if (client.ip < server.ip) {                ### V304 "IP does not compare with <"
        return (pass);
    }
}
