# The button "back" used Referer. The page that led to the shop was the attacker's.

sub vcl_synth {
    if (resp.status == 303) {
        set resp.http.Location = req.http.Referer; #! SEC020
        return (deliver);
    }
}
