# The field Refresh redirects, too.

sub vcl_synth {
    if (resp.status == 200) {
        set resp.http.Refresh = "0; url=" + regsub(req.url, "^.*[?&]to=", ""); #! SEC020
        return (deliver);
    }
}

#### without the fault

sub vcl_synth {
    if (resp.status == 200) {
        set resp.http.Refresh = "0; url=/to/" + regsub(req.url, "^.*[?&]to=", "");
        return (deliver);
    }
}
