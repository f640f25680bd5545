# No page had its includes.

import std;
sub vcl_backend_response {
    if (std.tolower(beresp.http.Content-Type) ~ "^Text/HTML") { #! TY008
        set beresp.do_esi = true;
    }
}
