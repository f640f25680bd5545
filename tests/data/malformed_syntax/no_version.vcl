backend default none;      ### V210 does not say its version
sub vcl_recv { }
