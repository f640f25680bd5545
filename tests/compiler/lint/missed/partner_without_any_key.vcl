# A partner without a key was let in; only an empty one was refused.

sub vcl_recv {
    if (req.url ~ "^/partner/") {
        if (req.http.X-Api-Key == "") { #! TY001
            return (synth(401));
        }
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    if (req.url ~ "^/partner/") {
        if (!req.http.X-Api-Key) {
            return (synth(401));
        }
        return (pass);
    }
}
