# Visitors without HTTPS are sent there.
#
# Try:  vernisd -a :80 -a :443,HTTPS -I start.cli -f examples/https/redirect.vcl
#       curl -i http://localhost/hello
vcl 4.1;

import tls;

backend origin {
    .host = "127.0.0.1";
    .port = "8081";
}

sub vcl_recv {
    if (!tls.is_tls()) {
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
