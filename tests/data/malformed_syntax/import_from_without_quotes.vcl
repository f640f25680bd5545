vcl 4.1;

backend default { .host = "127.0.0.1"; }

import std from mod;      ### V238 does not belong
