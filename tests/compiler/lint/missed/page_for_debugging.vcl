# The cookies were shown for debugging.

sub vcl_synth {
    synthetic("<p>Sorry</p>");
    if (req.http.X-Debug) {
        synthetic("<pre>" + req.http.Cookie + "</pre>"); #! SEC008
    }
    return (deliver);
}
