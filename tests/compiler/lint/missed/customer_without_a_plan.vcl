# No plan at all was the best plan.

sub vcl_recv {
    if (req.http.X-Plan == "gold") {
        set req.http.X-Tier = "1"; #! CK001
    } elseif (req.http.X-Plan == "") { #! TY001
        return (synth(403));
    } else {
        set req.http.X-Tier = "2";
    }
}

#### without the fault

sub vcl_recv {
    if (req.http.X-Plan == "gold") {
        set req.http.X-Tier = "1"; #! CK001
    } elseif (!req.http.X-Plan) {
        return (synth(403));
    } else {
        set req.http.X-Tier = "2";
    }
}
