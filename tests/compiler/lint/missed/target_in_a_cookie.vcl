# A cookie of another subdomain chose the target.

import cookie;
sub vcl_recv {
    cookie.parse(req.http.Cookie);
    if (req.url == "/back") {
        set req.http.X-Back = cookie.get("back"); #! SEC020
        return (synth(302));
    }
}
sub vcl_synth {
    if (resp.status == 302) {
        set resp.http.Location = req.http.X-Back;
        return (deliver);
    }
}
