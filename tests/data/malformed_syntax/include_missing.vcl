vcl 4.1;

backend default { .host = "127.0.0.1"; }

include "./nonexistent.vcl";      ### V225 cannot find
