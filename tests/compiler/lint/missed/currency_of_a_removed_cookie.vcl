# The key had no currency: its cookie was gone.

sub vcl_recv {
    unset req.http.Cookie;
    set req.http.X-Currency = regsub(req.http.Cookie, ".*currency=([A-Z]+).*", "\1"); #! FL011 SEC017
}
sub vcl_hash {
    hash_data(req.http.X-Currency);
}
