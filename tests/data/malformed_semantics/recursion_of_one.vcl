vcl 4.1;
backend origin none;

sub again {
    call again;                                 ### V601 "again -> again"
}
sub vcl_recv {
    call again;
}
