vcl 4.1;
backend origin none;

sub vcl_recv {
    call normalise;                             ### V302 "there is no sub normalise"
}
