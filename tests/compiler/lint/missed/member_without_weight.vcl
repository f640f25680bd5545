# A server was taken out for an upgrade by its weight, and never came back.

import directors;

probe alive { .url = "/alive"; }
backend one { .host = "192.0.2.11"; .probe = alive; }
backend two { .host = "192.0.2.12"; .probe = alive; }

sub vcl_init {
    new pool = directors.random();
    pool.add_backend(one, 10.0);
    pool.add_backend(two, 0.0); #! BE008
}

sub vcl_recv {
    set req.backend_hint = pool.backend();
}
