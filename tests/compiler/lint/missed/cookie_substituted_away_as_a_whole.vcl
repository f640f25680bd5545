# The substitution took the whole field.

sub vcl_recv {
    set req.http.Cookie = regsuball(req.http.Cookie, ".*", "");
    if (req.http.Cookie ~ "frontend=") { #! FL011
        return (pass);
    }
}
