# https://github.com/mattiasgeniar/varnish-4.0-configuration-templates/issues/8
# Origins saw the address of the client twice.

sub vcl_recv {
    set req.http.X-Forwarded-For = req.http.X-Forwarded-For + ", " + client.ip; #! SEC005
}
