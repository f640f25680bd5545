vcl 4.1;

backend default { .host = "127.0.0.1"; }

include "./empty.inc"      ### V202 missing
sub vcl_recv { }
