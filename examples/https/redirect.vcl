# Port 80 sends visitors to HTTPS. `local.socket` is the name of the listener.
#
# Try:  vernisd -a http=:80 -a https=:443,HTTPS -I start.cli -f examples/https/redirect.vcl
#       curl -i http://localhost/hello
vcl 4.1;

backend origin {
    .host = "127.0.0.1";
    .port = "8081";
}

sub vcl_recv {
    if (local.socket == "http") {
        return (synth(301, "https://" + req.http.Host + req.url));
    }
}

sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = resp.reason;
        set resp.reason = "Moved Permanently";
        return (deliver);
    }
}
