vcl 4.1;
backend origin none;

sub vcl_recv {
    std.log("x");                               ### V302 "module std is not imported"
}
