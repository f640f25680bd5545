# Each reload of a browser, and each request of a crawler, reached the origin.

sub vcl_recv {
    if (req.http.Cache-Control ~ "no-cache" || req.http.Pragma ~ "no-cache") {
        return (pass); #! SEC019
    }
}
