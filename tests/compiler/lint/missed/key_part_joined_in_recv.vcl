# The field was joined where it was set, and de + usd met d + eusd.

sub vcl_recv {
    set req.http.X-Variant = req.http.X-Lang + req.http.X-Currency; #! CK014
}
sub vcl_hash { hash_data(req.http.X-Variant); }
