vcl 4.1;

backend default { .host = "127.0.0.1"; }

include "./include_itself.vcl";      ### V226 includes itself
