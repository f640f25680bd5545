vcl 4.1      ### V202 missing ';' after '4.1'

sub vcl_recv { }
