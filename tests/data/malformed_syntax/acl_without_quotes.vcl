vcl 4.1;

backend default { .host = "127.0.0.1"; }

acl a { 10.0.0.0/8; }      ### V230 an address in an ACL needs quotes
