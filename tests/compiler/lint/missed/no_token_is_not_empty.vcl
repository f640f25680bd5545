# Requests without the field were not refused.

sub vcl_recv {
    if (req.http.X-Token == "") { #! TY001
        return (synth(401));
    }
}

#### without the fault

sub vcl_recv {
    if (!req.http.X-Token || req.http.X-Token == "") {
        return (synth(401));
    }
}
