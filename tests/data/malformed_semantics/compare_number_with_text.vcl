vcl 4.1;
backend origin none;

sub vcl_recv {
    if (req.restarts == "1") {                  ### V304 "INT == STRING"
        return (pass);
    }
}
