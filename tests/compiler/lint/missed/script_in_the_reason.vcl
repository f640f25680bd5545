# The built-in page shows the reason as it is. A link with a script in its query ran on the site.

sub vcl_recv {
    if (req.url ~ "^/intern/") {
        return (synth(404, "No page " + req.url)); #! SEC008
    }
}
