vcl;      ### V211 is no version
sub vcl_recv { }
