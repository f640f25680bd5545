# The class of devices is one of two words that do not begin alike, so that it needs no separator.

sub vcl_recv {
    if (req.http.User-Agent ~ "Mobile") {
        set req.http.X-Device = "phone";
    } else {
        set req.http.X-Device = "desktop";
    }
}

sub vcl_hash {
    hash_data(req.http.X-Device + req.http.X-Country);
}
