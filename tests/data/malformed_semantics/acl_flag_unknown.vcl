vcl 4.1;
backend origin none;

acl local +fast {                               ### V511 "no flag fast"
    "192.0.2.1";
}
sub vcl_recv {
    if (client.ip ~ local) {
        return (purge);
    }
}
