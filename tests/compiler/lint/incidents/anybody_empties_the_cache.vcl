# https://github.com/mattiasgeniar/varnish-4.0-configuration-templates/issues/52
# A purge was accepted from every client.

sub vcl_recv {
    if (req.method == "PURGE") {
        return (purge); #! SEC001
    }
}
