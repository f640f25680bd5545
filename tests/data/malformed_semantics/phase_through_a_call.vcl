vcl 4.1;
backend origin none;

sub mark {
    set resp.http.X-Mark = "1";                 ### V402 "resp.http.X-Mark cannot be set in vcl_recv, which calls mark"
}
sub vcl_deliver {
    call mark;
}
sub vcl_recv {
    call mark;
}
