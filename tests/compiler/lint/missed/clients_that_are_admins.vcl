# The line that was to remove the clients' own field named another one.

sub vcl_recv {
    unset req.http.X-Is-Admn; #! UN010
    if (client.ip == "192.0.2.9") {
        set req.http.X-Is-Admin = "1";
    }
    if (req.http.X-Is-Admin) {
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    unset req.http.X-Is-Admin;
    if (client.ip == "192.0.2.9") {
        set req.http.X-Is-Admin = "1";
    }
    if (req.http.X-Is-Admin) {
        return (pass);
    }
}
