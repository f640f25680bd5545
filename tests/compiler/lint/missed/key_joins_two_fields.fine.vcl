# Each call ends its text, and the second key has a separator of its own.

sub vcl_hash {
    hash_data(req.http.X-Shop);
    hash_data(req.http.X-Group);
    hash_data(req.http.X-Page + "|" + req.http.X-Size);
}
