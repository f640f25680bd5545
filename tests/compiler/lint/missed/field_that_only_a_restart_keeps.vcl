# The field is cleared in the first round, and nothing ever sets it.

sub vcl_recv {
    if (req.restarts == 0) {
        unset req.http.X-Trusted;
    }
    if (req.http.X-Trusted) { #! FL011
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    if (req.restarts == 0) {
        unset req.http.X-Trusted;
    }
    if (req.http.X-Trusted) {
        return (pass);
    }
}
sub vcl_deliver {
    if (resp.status == 403 && req.restarts == 0) {
        set req.http.X-Trusted = "asked";
        return (restart);
    }
}
