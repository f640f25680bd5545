# A proxy in front sends the second one: it is no slip of the first.

sub vcl_recv {
    set req.http.X-Tenant-Name = "a";
    if (req.http.X-Tenant-Nmae == "b") { #! UN010
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    set req.http.X-Tenant-Name = "a";
    if (req.http.X-Forwarded-Proto == "http") {
        return (pass);
    }
}
