# One server takes two of three requests: that it is there twice is its weight.

import directors;

probe alive { .url = "/alive"; }
backend big { .host = "192.0.2.11"; .probe = alive; }
backend small { .host = "192.0.2.12"; .probe = alive; }

sub vcl_init {
    new turn = directors.round_robin();
    turn.add_backend(big);
    turn.add_backend(big);
    turn.add_backend(small);
}

sub vcl_recv {
    set req.backend_hint = turn.backend();
}
