# The crawler got stored pages: its name was in small letters by then.

import std;
sub vcl_recv {
    set req.http.X-UA = std.tolower(req.http.User-Agent); #! CK001
    if (req.http.X-UA ~ "Googlebot") { #! TY008
        return (pass);
    }
}
