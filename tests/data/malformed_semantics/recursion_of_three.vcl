vcl 4.1;
backend origin none;

sub one {
    call two;
}
sub two {
    call three;
}
sub three {
    call one;                                   ### V601 "one -> two -> three -> one"
}
sub vcl_recv {
    call one;
}
