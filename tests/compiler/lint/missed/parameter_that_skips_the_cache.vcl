# A link with ?nocache=1 was shared in a forum.

sub vcl_recv {
    if (req.url ~ "[?&]nocache=1") {
        call skip;
    }
}

sub skip {
    return (pass); #! SEC019
}
