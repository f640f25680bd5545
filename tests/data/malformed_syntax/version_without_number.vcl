vcl;      ### V211 is not a version
sub vcl_recv { }
