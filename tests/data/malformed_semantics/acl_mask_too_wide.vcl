vcl 4.1;
backend origin none;

acl local {
    "192.0.2.0"/33;                             ### V509 "more than the 32 bits"
}
sub vcl_recv {
    if (client.ip ~ local) {
        return (purge);
    }
}
