# British and American spelling.

sub vcl_recv {
    set req.http.X-Normalized-Host = regsub(req.http.host, "^www\.", "");
    set req.http.host = regsub(req.http.X-Normalised-Host, ":[0-9]+$", ""); #! UN010
}
