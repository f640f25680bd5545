# The substitution removes all that begin so.

sub vcl_recv {
    set req.http.Cookie = regsuball(req.http.Cookie, "wp_[a-z_]+=[^;]+(; )?", "");
    if (req.http.Cookie ~ "wp_logged_in") { #! FL011
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    set req.http.Cookie = regsuball(req.http.Cookie, "wp_settings[a-z_]*=[^;]+(; )?", "");
    if (req.http.Cookie ~ "wp_logged_in") {
        return (pass);
    }
}
