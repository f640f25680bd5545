# The smaller limit comes second.

sub vcl_hit {
    if (obj.ttl < 10s) {
        return (pass);
    } elseif (obj.ttl < 5s) { #! FL002
        return (restart); #! FL006
    }
}
