vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    set req.url = "/";
}
}      ### V207 closes nothing

sub vcl_deliver { }
