vcl 4.1;
backend origin none;

import directors;
sub vcl_init {
    new rr = directors.random();
    new rr = directors.random();                ### V501 "rr"
}
