# The page that links here is the target.

sub vcl_recv {
    if (req.url == "/lang/de") {
        return (synth(303, "See Other"));
    }
}
sub vcl_synth {
    if (resp.status == 303) {
        set resp.http.Location = req.http.Referer; #! SEC020
        return (deliver);
    }
}
