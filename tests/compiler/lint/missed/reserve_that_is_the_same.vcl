# The reserve was copied from the line above, and its name stayed.

import directors;

probe alive { .url = "/alive"; }
backend first { .host = "192.0.2.11"; .probe = alive; }

sub vcl_init {
    new chain = directors.fallback();
    chain.add_backend(first);
    chain.add_backend(first); #! BE008
}

sub vcl_recv {
    set req.backend_hint = chain.backend();
}

#### without the fault

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
