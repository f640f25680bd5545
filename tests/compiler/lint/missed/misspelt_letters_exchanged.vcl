# Two letters changed places.

sub vcl_recv {
    set req.http.X-Section = "news";
}
sub vcl_backend_response {
    if (bereq.http.X-Sectoin == "news") { #! UN010
        set beresp.grace = 10s;
    }
}

#### without the fault

sub vcl_recv {
    set req.http.X-Section = "news";
}
sub vcl_backend_response {
    if (bereq.http.X-Section == "news") {
        set beresp.grace = 10s;
    }
}
