vcl 5.0;      ### V211 version 5.0 is the next one of the language
sub vcl_recv { }
