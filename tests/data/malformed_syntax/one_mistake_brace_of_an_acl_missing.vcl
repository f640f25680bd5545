vcl 4.1;

backend default { .host = "127.0.0.1"; }

acl local      ### V213 missing '{' after 'local'
    "127.0.0.1";
    "::1";
}
