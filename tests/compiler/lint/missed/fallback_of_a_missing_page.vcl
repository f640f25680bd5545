# A missing page became a redirect of the client's choice.

sub vcl_deliver {
    if (resp.status == 404 && req.url ~ "[?&]fallback=") {
        set resp.status = 302;
        set resp.http.Location = regsub(req.url, "^.*[?&]fallback=([^&]+).*$", "\1"); #! SEC020
    }
}
