vcl 4.1;
backend origin none;

acl local {
    "nowhere.invalid";                          ### V510 "nowhere.invalid"
}
sub vcl_recv {
    if (client.ip ~ local) {
        return (purge);
    }
}
