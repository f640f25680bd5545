# The key was meant to keep members apart, and the cookie was gone.

sub vcl_recv {
    unset req.http.Cookie;
}
sub vcl_hash {
    if (req.http.Cookie) { #! FL011
        hash_data(req.http.Cookie); #! CK007
    }
}

#### without the fault

sub vcl_recv {
    set req.http.X-Group = req.http.Cookie;
    if (req.http.Cookie !~ "group=") {
        unset req.http.X-Group;
    }
}
sub vcl_hash {
    if (req.http.X-Group) {
        hash_data(req.http.X-Group);
    }
}
