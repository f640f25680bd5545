vcl 4.1;
backend origin none;

sub forgotten {                                 ### V602 "sub forgotten is never used"
    unset req.http.Cookie;
}
