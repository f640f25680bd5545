# A sub asks for the key.

sub needs_key {
    if (req.http.X-Key == "") { #! TY001
        return (synth(403));
    }
}
sub vcl_recv {
    if (req.url ~ "^/feed") {
        call needs_key;
    }
}
