# https://github.com/ThijsFeryn/cacheable-site-silex/issues/2
# A client sent the field that the policy sets for visitors who are logged in.

sub vcl_recv {
    if (req.http.Cookie ~ "session=") {
        set req.http.X-Role = "member"; #! SEC006
    }
}

sub vcl_hash {
    hash_data(req.http.X-Role);
}
