vcl 4.1;
backend origin none;

sub vcl_recv {
    if (req.ttl < 5) {                          ### V304 "DURATION < INT"
        return (pass);
    }
}
