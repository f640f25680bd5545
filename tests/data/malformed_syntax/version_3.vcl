vcl 3.0;      ### V211 not known
sub vcl_recv { }
