# The field for bans was to be removed, and stayed.

sub vcl_backend_response {
    set beresp.http.X-Internal-Url = bereq.url; #! SEC015
}
sub vcl_deliver {
    unset resp.http.X-Interal-Url; #! UN010
}

#### without the fault

sub vcl_backend_response {
    set beresp.http.X-Internal-Url = bereq.url;
}
sub vcl_deliver {
    unset resp.http.X-Internal-Url;
}
