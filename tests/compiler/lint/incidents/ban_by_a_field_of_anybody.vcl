# https://github.com/fbrnc/Aoe_Static/issues/3
# A field of the request decided what was banned, and nobody asked who sent it.

sub vcl_recv {
    if (req.http.X-Invalidates == "everything") {
        ban("obj.http.X-Tags ~ ."); #! SEC001
    }
}
