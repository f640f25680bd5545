vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (storage.Transient.free_space > 4 "KB") {      ### V218 '4' needs a unit, not a text
        return (pass);
    }
    if (req.restarts > 4 "KB") {      ### V218 missing operator between '4' and '"KB"'
        return (pass);
    }
}
