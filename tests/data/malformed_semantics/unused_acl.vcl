vcl 4.1;
backend origin none;

acl local {                                     ### V602 "acl local is never used"
    "192.0.2.1";
}
