# No GET is a PURGE.

sub vcl_recv {
    if (req.method == "GET" || req.method == "HEAD") {
        if (req.method == "PURGE") { #! FL003
            return (purge); #! SEC001
        }
    }
}

#### without the fault

sub vcl_recv {
    if (req.method == "GET" || req.method == "HEAD") {
        if (req.method == "HEAD") {
            return (purge); #! SEC001
        }
    }
}
