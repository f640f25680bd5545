# The target was kept in a field of the request, two hooks before the redirect.

sub vcl_recv {
    if (req.http.X-Forwarded-Proto !~ "https") {
        set req.http.X-Target = "https://" + req.http.X-Forwarded-Host + req.url; #! SEC020
        return (synth(301));
    }
}

sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = req.http.X-Target;
        return (deliver);
    }
}
