# The wish of the client became a mark, and the mark a pass, in another sub.

sub vcl_recv {
    unset req.http.X-Fetch;
    if (req.http.Cache-Control ~ "max-age=0") {
        set req.http.X-Fetch = "1";
    }
    call decide;
}

sub decide {
    if (req.http.X-Fetch) {
        return (pass); #! SEC019
    }
}
