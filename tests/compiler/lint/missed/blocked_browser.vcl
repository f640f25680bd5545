# The name of the browser is shown as a reason.

sub vcl_recv {
    if (req.url ~ "^/block") {
        return (synth(403, "Blocked: " + req.http.User-Agent)); #! SEC008
    }
}
sub vcl_synth {
    set resp.http.Content-Type = "text/html";
    synthetic("<p>" + resp.reason + "</p>");
    return (deliver);
}
