vcl 4.1;
backend origin none;

sub vcl_recv {
    return (lokup);                             ### V406 "there is no action lokup"
}
