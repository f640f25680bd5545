vcl 4.1;
backend origin none;

sub vcl_recv {
    return (vcl("other"));                      ### V407 "label"
}
