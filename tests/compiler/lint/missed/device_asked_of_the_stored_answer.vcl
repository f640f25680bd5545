# Telephones got the layout of desktops: the class of the device is in the request, where the key has it, too.

sub vcl_recv {
    set req.http.X-Layout = "desktop";
    if (req.http.User-Agent ~ "Mobile") {
        set req.http.X-Layout = "mobile";
    }
}
sub vcl_hash {
    hash_data(req.http.X-Layout);
}
sub vcl_deliver {
    if (resp.http.X-Layout ~ "^mob") { #! UN010
        set resp.http.X-Frame = "small";
    }
}

#### without the fault

sub vcl_recv {
    set req.http.X-Layout = "desktop";
    if (req.http.User-Agent ~ "Mobile") {
        set req.http.X-Layout = "mobile";
    }
}
sub vcl_hash {
    hash_data(req.http.X-Layout);
}
sub vcl_deliver {
    if (resp.http.X-Layout ~ "^origin") {
        set resp.http.X-Frame = "small";
    }
}
