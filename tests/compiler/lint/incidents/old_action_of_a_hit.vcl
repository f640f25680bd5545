# https://github.com/mattiasgeniar/varnish-5.0-configuration-templates/issues/1
# A template of an older version did not load: a hit cannot fetch.

sub vcl_hit {
    return (fetch); #! V405
}
