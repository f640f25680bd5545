vcl 4.1;
backend origin none;

import directors;

sub vcl_recv {
    new rr = directors.round_robin();           ### V409 "rr cannot be created in vcl_recv"
}
