vcl 4.1;
backend origin none;

sub inner {
    return (lookup);                            ### V405 "vcl_recv, which calls inner"
}
sub outer {
    call inner;
}
sub vcl_recv {
    call outer;
}
