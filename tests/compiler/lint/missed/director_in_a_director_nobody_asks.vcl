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
