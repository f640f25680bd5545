vcl 4.1;
backend origin none;

import directors;
sub vcl_init {
    rr.add_backend(origin);                     ### V519 "rr is used before it is created"
    new rr = directors.round_robin();
}
