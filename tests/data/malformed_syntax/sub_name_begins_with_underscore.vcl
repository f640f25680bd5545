vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub _private { }      ### V105 no part of the language
