# The key had the client's wish, so a reload stored each page a second time.

sub vcl_hash {
    hash_data(req.http.Cache-Control); #! SEC019
}
