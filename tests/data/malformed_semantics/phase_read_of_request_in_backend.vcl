vcl 4.1;
backend origin none;

sub vcl_backend_response {
    set beresp.http.X = req.url;                ### V401 "req.url cannot be read in vcl_backend_response"
}
