vcl 4.1;
backend origin none;

backend spare none;                             ### V602 "backend spare is never used"
