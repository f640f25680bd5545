# https://www.fastly.com/documentation/guides/full-site-delivery/fastly-vcl/vcl-regular-expression-cheat-sheet
# A pattern for a host without its beginning matched hosts of others.

sub vcl_recv {
    if (req.http.Host ~ "shop\.example$") { #! RE002
        return (pass);
    }
}
