vcl 4.1;
backend origin none;

acl local {
    "2001:db8::"/129;                           ### V509 "more than the 128 bits"
}
sub vcl_recv {
    if (client.ip ~ local) {
        return (purge);
    }
}
