# The third server of a pool was declared, and its line in vcl_init forgotten.

import directors;

probe alive { .url = "/alive"; }
backend one { .host = "192.0.2.11"; .probe = alive; }
backend two { .host = "192.0.2.12"; .probe = alive; }
backend three { .host = "192.0.2.13"; .probe = alive; } #! V602

sub vcl_init {
    new pool = directors.round_robin();
    pool.add_backend(one);
    pool.add_backend(two);
}

sub vcl_recv {
    set req.backend_hint = pool.backend();
}
