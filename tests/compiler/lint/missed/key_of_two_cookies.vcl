# Two cookies of the jar ran into each other.

import cookie;
sub vcl_recv {
    cookie.parse(req.http.Cookie);
    set req.http.X-Segment = cookie.get("seg");
    set req.http.X-Abtest = cookie.get("ab");
    unset req.http.Cookie;
}
sub vcl_hash {
    hash_data(req.http.X-Segment + req.http.X-Abtest); #! CK014
}

#### without the fault

import cookie;
sub vcl_recv {
    cookie.parse(req.http.Cookie);
    set req.http.X-Segment = cookie.get("seg");
    set req.http.X-Abtest = cookie.get("ab");
    unset req.http.Cookie;
}
sub vcl_hash {
    hash_data(req.http.X-Segment + "," + req.http.X-Abtest);
}
