# The list of cookies to drop has the session in it.

sub vcl_recv {
    set req.http.Cookie = regsuball(req.http.Cookie, "(^|; *)(_ga|session)=[^;]*", "");
    if (req.http.Cookie ~ "session=") { #! FL011
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    set req.http.Cookie = regsuball(req.http.Cookie, "(^|; *)(_ga|_fbp)=[^;]*", "");
    if (req.http.Cookie ~ "session=") {
        return (pass);
    }
}
