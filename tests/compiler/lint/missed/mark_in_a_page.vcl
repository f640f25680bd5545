# The URL takes the place of a mark.

sub vcl_synth {
    set resp.body = regsub("<p>No page @URL@</p>", "@URL@", req.url); #! SEC008
    return (deliver);
}
