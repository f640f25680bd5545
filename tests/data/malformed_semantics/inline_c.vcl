vcl 4.1;
backend origin none;

sub vcl_recv {
    C{ return 0; }C                             ### V204 "C code"
}
