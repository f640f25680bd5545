# The path is shown.

sub vcl_synth {
    if (resp.status == 404) {
        set resp.http.Content-Type = "text/html; charset=utf-8";
        synthetic({"<h1>Not found</h1><p>"} + req.url + {"</p>"}); #! SEC008
        return (deliver);
    }
}
