vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.ttl = 5;                            ### V301 "INT is not DURATION"
    unset req.http.Cookie;
    set req.backend_hint = nowhere;             ### V302 "there is no backend nowhere"
    if (req.url ~ "(" && req.http.X) {           ### V307 "not valid"
        return (deliver);                       ### V405 "return (deliver)"
    } elseif (req.restarts == "1") {            ### V304 "INT == STRING"
        set beresp.ttl = 5s;                    ### V402 "beresp.ttl"
    }
}
