vcl 4.1;

backend default { .host = "127.0.0.1"; }

acl a { "10.0.0.1", "10.0.0.2"; }      ### V230 end with
