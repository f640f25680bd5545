vcl 4.1;
backend origin none;

acl ORIGIN {                                    ### V501 "ORIGIN is already declared as a backend: origin is the same name, because case does not matter"
    "192.0.2.1";
}
