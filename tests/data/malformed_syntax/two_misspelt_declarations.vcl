vcl 4.1;

backend default { .host = "127.0.0.1"; }

bakend a { .host = "127.0.0.1"; }      ### V208 unknown declaration

bakend b { .host = "127.0.0.1"; }      ### V208 unknown declaration
