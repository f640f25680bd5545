vcl 4.1;
backend origin none;

acl local {
    "192.0.2.7"/24;                             ### V509 "bits beyond its mask"
}
sub vcl_recv {
    if (client.ip ~ local) {
        return (purge);
    }
}
