vcl 4.1;
backend origin none;

sub vcl_recv {
    return (deliver);                           ### V405 "return (deliver) cannot be used in vcl_recv"
}
