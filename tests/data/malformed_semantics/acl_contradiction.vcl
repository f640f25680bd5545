vcl 4.1;
backend origin none;

acl local {
    "192.0.2.0"/24;
    ! "192.0.2.0"/24;                           ### V512 ""192.0.2.0"/24 is in this ACL with and without '!'"
}
sub vcl_recv {
    if (client.ip ~ local) {
        return (purge);
    }
}
