vcl 4.1;
backend origin none;

sub vcl_recv {
    if (client.ip ~ purgers) {                  ### V302 "there is no acl purgers"
        return (purge);
    }
}
