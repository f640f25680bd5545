# The members went to the director that was there before, and the new one had none.

import directors;

probe alive { .url = "/alive"; }
backend one { .host = "192.0.2.11"; .probe = alive; }
backend two { .host = "192.0.2.12"; .probe = alive; }

sub vcl_init {
    new pages = directors.round_robin();
    new pictures = directors.round_robin(); #! BE008
    pages.add_backend(one);
    pages.add_backend(two);
}

sub vcl_recv {
    set req.backend_hint = pages.backend();
    if (req.url ~ "^/pictures/") {
        set req.backend_hint = pictures.backend();
    }
}
