vcl 4.1;
backend origin none;

sub vcl_deliver {
    synthetic("x");                             ### V404 "synthetic cannot be used in vcl_deliver"
}
