# No client saw the verdict: it is in the response.

sub vcl_backend_response {
    if (beresp.http.Content-Type ~ "^image/") {
        set beresp.http.X-Verdict = "long";
    }
}
sub vcl_deliver {
    if (req.http.X-Verdict == "long") { #! UN010
        set resp.http.Cache-Control = "max-age=86400";
    }
}

#### without the fault

sub vcl_backend_response {
    if (beresp.http.Content-Type ~ "^image/") {
        set beresp.http.X-Verdict = "long";
    }
}
sub vcl_deliver {
    if (resp.http.X-Verdict == "long") {
        set resp.http.Cache-Control = "max-age=86400";
    }
}

#### without the fault

sub vcl_recv {
    if (req.http.X-Verdict == "long") {
        return (pass);
    }
}
sub vcl_backend_response {
    set beresp.http.X-Verdict = "long";
}
