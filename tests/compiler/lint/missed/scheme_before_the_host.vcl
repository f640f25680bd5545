# "http" with the host "sshop.example" was the key of "https" with "shop.example".

sub vcl_recv {
    if (req.http.X-Forwarded-Proto == "https") {
        set req.http.X-Scheme = "https";
    } else {
        set req.http.X-Scheme = "http";
    }
}

sub vcl_hash {
    hash_data(req.url);
    hash_data(req.http.X-Scheme + req.http.host); #! CK014
    return (lookup);
}
