# Two servers were bought, and one of them had all the traffic for a year.

import directors;

probe alive { .url = "/alive"; }
backend one { .host = "192.0.2.11"; .probe = alive; }
backend two { .host = "192.0.2.12"; .probe = alive; }

sub vcl_init {
    new pool = directors.round_robin(); #! BE007
    pool.add_backend(one);
    pool.add_backend(two);
}

sub vcl_recv {
    set req.http.X-Edge = "1";
}

#### without the fault

# The same, with the line that was missing.

import directors;

probe alive { .url = "/alive"; }
backend one { .host = "192.0.2.11"; .probe = alive; }
backend two { .host = "192.0.2.12"; .probe = alive; }

sub vcl_init {
    new pool = directors.round_robin();
    pool.add_backend(one);
    pool.add_backend(two);
}

sub vcl_recv {
    call choose;
}

sub choose {
    set req.backend_hint = pool.backend();
}
