vcl 4.1;

backend default { .host = "127.0.0.1"; }

import "std";      ### V238 named without quotes
