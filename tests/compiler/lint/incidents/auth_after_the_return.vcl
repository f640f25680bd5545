# https://github.com/mattiasgeniar/varnish-3.0-configuration-templates/pull/9
# What stood behind an unconditional return never ran: the test of credentials.

sub vcl_recv {
    return (pass);
    if (req.http.Authorization) { #! FL001
        return (synth(403));
    }
}
