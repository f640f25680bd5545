# The empty text stands on the left.

sub vcl_recv {
    if ("" == req.http.X-Member) { #! TY001
        return (synth(403));
    }
}

#### without the fault

sub vcl_recv {
    if (!req.http.X-Member) {
        return (synth(403));
    }
}
