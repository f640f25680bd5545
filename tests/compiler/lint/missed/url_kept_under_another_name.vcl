# The original URL was never used again.

sub vcl_recv {
    set req.http.Original-Url = req.url; #! CK001
    set req.url = regsub(req.url, "\?.*$", ""); #! CK001
}
sub vcl_backend_fetch {
    set bereq.url = bereq.http.Orignal-Url; #! UN010
}
