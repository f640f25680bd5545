vcl 6.0;      ### V211 version 6.0 is not known
sub vcl_recv { }
