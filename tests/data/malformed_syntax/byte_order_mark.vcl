vcl 4.1;      ### V105 no part of the language
sub vcl_recv { }
