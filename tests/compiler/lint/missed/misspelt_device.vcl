# The class of the device never reached the key.

sub vcl_recv {
    unset req.http.X-Device; #! CK001
    if (req.http.User-Agent ~ "Mobile") {
        set req.http.X-Device = "phone";
    }
}
sub vcl_hash {
    if (req.http.X-Devise) { #! UN010
        hash_data(req.http.X-Devise);
    }
}

#### without the fault

sub vcl_recv {
    unset req.http.X-Device;
    if (req.http.User-Agent ~ "Mobile") {
        set req.http.X-Device = "phone";
    }
}
sub vcl_hash {
    if (req.http.X-Device) {
        hash_data(req.http.X-Device);
    }
}
