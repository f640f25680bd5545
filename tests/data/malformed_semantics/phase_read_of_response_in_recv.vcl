vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.http.X = resp.status;               ### V401 "resp.status cannot be read in vcl_recv"
}
