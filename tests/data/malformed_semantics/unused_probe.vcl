vcl 4.1;
backend origin none;

probe alive {                                   ### V602 "probe alive is never used"
}
