vcl 4.1;

backend default { .host = "127.0.0.1"; }

director pool round-robin { { .backend = default; } }      ### V228 old VCL
