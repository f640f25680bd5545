vcl 4.1;
backend origin none;

sub clean {
    unset req.http.Cookie;
}
sub clean {                                     ### V501 "clean"
    unset req.http.X;
}
sub vcl_recv {
    call clean;
}
