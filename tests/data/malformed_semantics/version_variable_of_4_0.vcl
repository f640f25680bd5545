vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.esi = true;                         ### V311 "4.0 only"
}
