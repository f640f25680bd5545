vcl 4.1;
backend origin none;

backend origin none;                            ### V501 "origin"
