vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.http."X Y" = "1";                   ### V321 "X Y"
}
