vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    set req.url = "/"{      ### V201 does not belong here
    return (pass);
}

sub vcl_deliver { }
