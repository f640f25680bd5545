# 192.0.2.1 with the field "23" had the key of 192.0.2.12 with "3".

sub vcl_hash {
    hash_data("who=" + client.ip + req.http.X-Level); #! CK014
}
