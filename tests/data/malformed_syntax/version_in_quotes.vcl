vcl "4.1";      ### V211 is not a version
sub vcl_recv { }
