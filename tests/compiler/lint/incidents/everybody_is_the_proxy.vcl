# https://github.com/elgentos/magento2-varnish-extended/pull/109
# Behind the TLS proxy each client had the address of the machine, and could purge.

acl purgers {
    "localhost";
}

sub vcl_recv {
    if (req.http.X-Forwarded-Proto !~ "https") {
        return (synth(301, "https://shop.example/"));
    }
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) { #! SEC003
            return (synth(405));
        }
        return (purge);
    }
}
