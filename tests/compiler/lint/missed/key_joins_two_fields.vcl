# Shop "1" with customer group "23", and shop "12" with group "3", got each other's prices.

sub vcl_hash {
    hash_data(req.http.X-Shop + req.http.X-Group); #! CK014
}

#### without the fault

# Each call ends its text, and the second key has a separator of its own.

sub vcl_hash {
    hash_data(req.http.X-Shop);
    hash_data(req.http.X-Group);
    hash_data(req.http.X-Page + "|" + req.http.X-Size);
}
