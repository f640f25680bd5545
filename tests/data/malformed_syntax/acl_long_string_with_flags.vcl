vcl 4.1;

backend default { .host = "127.0.0.1"; }

acl local +log -pedantic {"127.0.0.1";      ### V103 begins a long string
    "10.0.0.0"/8;
}
