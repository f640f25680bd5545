# The reserve was chosen by its name; the director was only built.

import directors;
backend main1 { .host = "192.0.2.1"; .probe = { .url = "/up"; } }
backend spare { .host = "192.0.2.2"; .probe = { .url = "/up"; } }
sub vcl_init {
    new site = directors.fallback(); #! BE007
    site.add_backend(main1);
    site.add_backend(spare);
}
sub vcl_recv {
    set req.backend_hint = main1;
    if (req.restarts > 0) { set req.backend_hint = spare; }
}
