vcl 4.1;

backend default { .host = "127.0.0.1"; }

acl a { ! localhost; }      ### V230 an address in an ACL needs quotes
