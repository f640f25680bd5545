# https://github.com/jonbaldie/varnish/pull/47
# Answers to requests with a token were stored for everybody.

sub vcl_recv {
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.http.Cookie) {
        return (pass);
    }
    return (hash); #! CS005
}
