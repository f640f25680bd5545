vcl 4.1;
backend origin none;

sub vcl_recv {
    if (req.url ~ req.http.Pattern) {           ### V308 "text in quotes"
        return (pass);
    }
}
