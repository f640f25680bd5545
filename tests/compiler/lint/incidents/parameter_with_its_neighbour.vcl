# https://github.com/mattiasgeniar/varnish-4.0-configuration-templates/issues/38
# The substitution left a sign behind, or took one that the next parameter needs.

sub vcl_recv {
    set req.url = regsuball(req.url, "[?&](utm_source|gclid)=[^&]*", ""); #! CK011
}
