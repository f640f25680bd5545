vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub { unset req.http.Cookie; }      ### V234 no name
