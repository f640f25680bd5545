# The test for any cookie comes first.

sub vcl_recv {
    if (req.http.Cookie) {
        return (pass);
    } elseif (req.http.Cookie ~ "beta=1") { #! FL002
        set req.http.X-Beta = "1";
    }
}
