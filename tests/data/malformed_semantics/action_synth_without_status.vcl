vcl 4.1;
backend origin none;

sub vcl_recv {
    return (synth);                             ### V407 "synth"
}
