vcl 4.1;

backend default { .host = "127.0.0.1"; }

backend b { . = "127.0.0.1"; }      ### V229 '=' is not a field name
