# Anybody can write this field.

sub vcl_recv {
    if (req.http.X-Forwarded-Proto == "http") {
        return (synth(301));
    }
}
sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = "https://" + req.http.X-Forwarded-Host + req.url; #! SEC020
        return (deliver);
    }
}
