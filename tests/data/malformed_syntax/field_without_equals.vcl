vcl 4.1;

backend default { .host = "127.0.0.1"; }

backend b { .host "127.0.0.1"; }      ### V229 missing '='
