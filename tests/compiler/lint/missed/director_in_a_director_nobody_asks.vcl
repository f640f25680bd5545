# The outer director was made for a second data centre, and requests still went to the first.

import directors;

probe alive { .url = "/alive"; }
backend near { .host = "192.0.2.11"; .probe = alive; }
backend far { .host = "192.0.2.12"; .probe = alive; }

sub vcl_init {
    new here = directors.round_robin();
    here.add_backend(near);
    new everywhere = directors.fallback(); #! BE007
    everywhere.add_backend(here.backend());
    everywhere.add_backend(far);
}

#### without the fault

# The inner director is only a member of the outer one, which requests use.

import directors;

probe alive { .url = "/alive"; }
backend near { .host = "192.0.2.11"; .probe = alive; }
backend far { .host = "192.0.2.12"; .probe = alive; }

sub vcl_init {
    new here = directors.round_robin();
    here.add_backend(near);
    new everywhere = directors.fallback();
    everywhere.add_backend(here.backend());
    everywhere.add_backend(far);
}

sub vcl_backend_fetch {
    set bereq.backend = everywhere.backend();
}
