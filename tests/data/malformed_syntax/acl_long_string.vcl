vcl 4.1;

backend default { .host = "127.0.0.1"; }

acl local {"127.0.0.1"; }      ### V103 begins a long string

acl other { "10.0.0.0"/8; }
