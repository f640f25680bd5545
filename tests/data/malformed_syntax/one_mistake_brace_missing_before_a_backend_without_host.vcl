vcl 4.1;

sub vcl_recv {
    if (req.restarts > 0) {      ### V205 never closed
        return (pass);
    set req.url = "/";
}

backend default none;
