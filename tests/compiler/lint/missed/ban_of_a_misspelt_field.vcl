# The ban never met an object.

acl office { "192.0.2.0"/24; }
sub vcl_backend_response {
    set beresp.http.X-Url-Path = bereq.url; #! SEC015
}
sub vcl_recv {
    if (req.method == "BAN") {
        if (client.ip !~ office) { return (synth(405)); }
        ban("obj.http.x-url-pat ~ ^/news"); #! UN010
        return (synth(200));
    }
}

#### without the fault

acl office { "192.0.2.0"/24; }
sub vcl_backend_response {
    set beresp.http.X-Url-Path = bereq.url; #! SEC015
}
sub vcl_recv {
    if (req.method == "BAN") {
        if (client.ip !~ office) { return (synth(405)); }
        ban("obj.http.x-url-path ~ ^/news");
        return (synth(200));
    }
}
