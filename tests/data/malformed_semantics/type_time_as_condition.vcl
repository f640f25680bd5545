vcl 4.1;
backend origin none;

sub vcl_recv {
    if (req.time) {                             ### V301 "TIME is not BOOL"
        return (pass);
    }
}
