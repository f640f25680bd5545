vcl 4.1;

backend default { .host = "127.0.0.1"; }

acl a log { "10.0.0.1"; }      ### V232 expected ACL flags or the body, found 'log'
