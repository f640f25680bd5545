# A hyphen got lost.

sub vcl_recv {
    set req.http.X-Grace-Mode = "none";
}
sub vcl_hit {
    if (obj.ttl < 0s) {
        set req.http.X-Grace-Mode = "limited";
    }
}
sub vcl_deliver {
    set resp.http.X-Grace = req.http.X-Gracemode; #! UN010
}
