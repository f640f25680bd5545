vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub 4xx { }      ### V234 not a name
