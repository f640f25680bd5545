# Two fields were appended to the key of a third one.

sub vcl_recv {
    set req.http.X-Key = req.http.X-Tenant;
    call extend;
}

sub extend {
    set req.http.X-Key = req.http.X-Key + req.http.X-Role; #! CK014
}

sub vcl_hash {
    hash_data(req.http.X-Key);
}

#### without the fault

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
