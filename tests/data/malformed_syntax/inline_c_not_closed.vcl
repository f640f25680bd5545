vcl 4.1;

backend default { .host = "127.0.0.1"; }

C{      ### V109 never closed
int x;
