vcl 4.1;

backend default { .host = "127.0.0.1"; }

acl a {
    "10.0.0.0"/8      ### V202 missing ';' after '8'
    "127.0.0.1"      ### V202 missing ';'
    ! "10.1.1.1";
}
