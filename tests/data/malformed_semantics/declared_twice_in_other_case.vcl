vcl 4.1;
backend origin none;

acl ORIGIN {                                    ### V501 "ORIGIN is already declared as a backend"
    "192.0.2.1";
}
