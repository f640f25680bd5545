vcl 4.1;
backend origin none;

backend req none;                               ### V502 "req is a reserved word and cannot name a backend"
