# The words of the name were exchanged.

sub vcl_recv {
    set req.http.X-Device-Class = "phone";
}
sub vcl_hash {
    hash_data(req.http.X-Class-Device); #! UN010
}

#### without the fault

sub vcl_recv {
    set req.http.X-Device-Class = "phone";
}
sub vcl_hash {
    hash_data(req.http.X-Device-Class);
}
