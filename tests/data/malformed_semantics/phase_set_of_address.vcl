vcl 4.1;
backend origin none;

sub vcl_recv {
    set client.ip = "192.0.2.1";                ### V402 "client.ip cannot be set"
}
