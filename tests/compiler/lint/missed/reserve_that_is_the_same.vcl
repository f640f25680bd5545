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
