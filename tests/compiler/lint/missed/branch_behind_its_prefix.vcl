# Images of the API never came to their own machine.

backend api { .host = "192.0.2.2"; }
backend img { .host = "192.0.2.3"; }
sub vcl_recv {
    if (req.url ~ "^/api") {
        set req.backend_hint = api;
    } elseif (req.url ~ "^/api/images/") { #! FL002
        set req.backend_hint = img;
    }
}

#### without the fault

backend api { .host = "192.0.2.2"; }
backend img { .host = "192.0.2.3"; }
sub vcl_recv {
    if (req.url ~ "^/api") {
        set req.backend_hint = api;
    } elseif (req.url ~ "^/images/") {
        set req.backend_hint = img;
    }
}
