vcl "4.1";      ### V211 is no version
sub vcl_recv { }
