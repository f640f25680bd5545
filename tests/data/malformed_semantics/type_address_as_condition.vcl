vcl 4.1;
backend origin none;

sub vcl_recv {
    if (client.ip) {                            ### V301 "IP is not BOOL"
        return (pass);
    }
}
