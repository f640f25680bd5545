vcl 4.1;
backend origin none;

sub vcl_recv {
    if (req.restarts == "1" && req.ttl < 5) {    ### V304 "INT" ### V304 "DURATION"
        return (pass);
    }
}
