# A hyphen became an underscore.

sub vcl_recv {
    set req.http.X-Region = "eu";
}
sub vcl_hash {
    hash_data(req.http.X_Region); #! UN010
}

#### without the fault

sub vcl_recv {
    set req.http.X-Region = "eu";
}
sub vcl_hash {
    hash_data(req.http.X-Region);
}
