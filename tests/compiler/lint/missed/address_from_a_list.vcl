# No address at all.

sub vcl_synth {
    synthetic({"<p>Your address: "} + req.http.X-Forwarded-For + {"</p>"}); #! SEC008
    return (deliver);
}
