vcl 4.1;
backend origin none;

sub vcl_recieve {                               ### V502 "neither a hook"
    return (pass);
}
