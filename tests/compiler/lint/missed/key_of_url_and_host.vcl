# A page of one host was stored as the page of another, whose name began like the end of the path.

sub vcl_hash {
    hash_data(req.url + req.http.host); #! CK014
    return (lookup);
}
