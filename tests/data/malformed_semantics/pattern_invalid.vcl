vcl 4.1;
backend origin none;

sub vcl_recv {
    if (req.url ~ "(unclosed") {                ### V307 "not valid"
        return (pass);
    }
}
