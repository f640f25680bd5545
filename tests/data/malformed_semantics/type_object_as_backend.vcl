vcl 4.1;
backend origin none;

import directors;
sub vcl_init {
    new rr = directors.round_robin();
    rr.add_backend(origin);
}
sub vcl_recv {
    set req.backend_hint = rr;                  ### V301 "INSTANCE is not BACKEND"
}
