vcl 4.1;
backend origin none;

sub vcl_recv {
    if (client.ip == "192.0.2.256") {           ### V317 "192.0.2.256"
        return (pass);
    }
}
