# The negation holds without the field.

sub vcl_recv {
    if (!(req.http.X-Csrf == "")) { #! TY001
        return (pass);
    }
}
