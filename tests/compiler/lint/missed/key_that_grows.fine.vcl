# Each part of the key ends with a separator, wherever it is appended.

sub vcl_recv {
    set req.http.X-Key = req.http.X-Tenant + ";";
    call extend;
}

sub extend {
    set req.http.X-Key = req.http.X-Key + req.http.X-Role + ";";
}

sub vcl_hash {
    hash_data(req.http.X-Key);
}
