vcl 4.1;
backend origin none;

sub vcl_recv {
    if (-5s < req.ttl) {                        ### V309 "where BOOL is expected"
        return (pass);
    }
}
