vcl 4.1;
backend origin none;

sub vcl_recv {
    return (PASS);                              ### V406 "PASS"
}
