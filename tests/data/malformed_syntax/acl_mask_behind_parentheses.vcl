vcl 4.1;

backend default { .host = "127.0.0.1"; }

acl a { ("example.com")/24; }      ### V231 inside the parentheses
