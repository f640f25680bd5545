vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.backend_hint = "origin";            ### V301 "STRING is not BACKEND"
}
