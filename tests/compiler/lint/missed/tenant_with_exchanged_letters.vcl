# All tenants had one page.

sub vcl_recv {
    set req.http.X-Shop-Tenant = regsub(req.http.host, "\..*", "");
}
sub vcl_hash {
    if (req.http.X-Shop-Tennat) { #! UN010
        hash_data(req.http.X-Shop-Tennat);
    }
}
