vcl 4.1;
backend origin none;

import directors;
sub vcl_init {
    new rr = directors.roundrobin();            ### V515 "no object roundrobin"
}
