vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub _private { }      ### V105 '_' is not part of VCL
