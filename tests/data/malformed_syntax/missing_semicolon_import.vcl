vcl 4.1;

backend default { .host = "127.0.0.1"; }

import std      ### V202 missing ';' after 'std'

sub vcl_recv { }
