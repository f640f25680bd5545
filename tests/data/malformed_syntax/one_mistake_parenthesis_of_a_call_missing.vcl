vcl 4.1;

backend default { .host = "127.0.0.1"; }

import std;

sub vcl_recv {
    std.log"a" + req.url);      ### V209 a name alone is not a statement
    return (pass);
}
