# While the origin was away, visitors were sent to the mirror that a cookie named.

import cookie;

sub vcl_backend_error {
    if (beresp.status == 503) {
        cookie.parse(bereq.http.Cookie);
        set beresp.status = 302;
        set beresp.http.Location = "https://" + cookie.get("mirror"); #! SEC020
        return (deliver);
    }
}
