# The term of the search ran as a script.

sub vcl_synth {
    if (resp.status == 404) {
        set resp.http.Content-Type = "text/html; charset=utf-8";
        synthetic("<h1>Nothing found for " + req.http.X-Search + "</h1>"); #! SEC008
        return (deliver);
    }
}
