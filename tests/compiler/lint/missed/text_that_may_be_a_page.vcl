# Plain text for some, and a page for those who ask for one.

sub vcl_synth {
    set resp.http.Content-Type = "text/plain";
    if (req.http.Accept ~ "html") {
        set resp.http.Content-Type = "text/html";
    }
    synthetic("No page " + req.url); #! SEC008
    return (deliver);
}
