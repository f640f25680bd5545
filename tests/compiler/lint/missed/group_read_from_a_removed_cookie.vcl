# The group is taken out of a field that no longer exists.

sub vcl_recv {
    unset req.http.Cookie;
    set req.http.X-Group = regsub(req.http.Cookie, "^g=([a-z])", "\1"); #! FL011
}

#### without the fault

sub vcl_recv {
    set req.http.X-Group = regsub(req.http.Cookie, "^g=([a-z])", "\1"); #! CK001
    unset req.http.Cookie;
}
