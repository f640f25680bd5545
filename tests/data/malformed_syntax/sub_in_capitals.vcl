vcl 4.1;

backend default { .host = "127.0.0.1"; }

SUB vcl_recv { }      ### V208 unknown declaration
