# https://github.com/sillsdev/icu-dotnet/pull/217
# Each anchor belonged to one alternative only.

sub vcl_recv {
    if (req.url ~ "^/cart|/account$") { #! RE010
        return (pass);
    }
}
