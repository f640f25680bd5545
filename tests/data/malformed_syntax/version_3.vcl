vcl 3.0;      ### V211 versions before 4.0 are not supported
sub vcl_recv { }
