# After the move no request came to the green machines.

import directors;
backend blue1 { .host = "192.0.2.1"; .probe = { .url = "/ping"; } }
backend blue2 { .host = "192.0.2.2"; .probe = { .url = "/ping"; } }
backend green1 { .host = "192.0.2.3"; .probe = { .url = "/ping"; } }
sub vcl_init {
    new blue = directors.round_robin();
    blue.add_backend(blue1);
    blue.add_backend(blue2);
    new green = directors.round_robin(); #! BE007
    green.add_backend(green1);
}
sub vcl_recv { set req.backend_hint = blue.backend(); }
