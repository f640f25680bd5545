# The built-in policy, appended to every policy: what happens where a hook does not return by itself. Each hook only calls
# its vcl_builtin_ sub, so that a policy can put its own rules before one step (define vcl_req_cookie, say, and `return;`
# from it) and keep the rest.

vcl 4.1;

sub vcl_recv {
    call vcl_builtin_recv;
    return (hash);
}

sub vcl_builtin_recv {
    call vcl_req_host;
    call vcl_req_method;
    call vcl_req_authorization;
    call vcl_req_cookie;
}

# Host names are the same in any case (RFC 9110, 4.2.3), and a cache key is not. Includes take the host of the page they
# are part of, so only the client's own request has to name one.
sub vcl_req_host {
    if (req.http.host ~ "[[:upper:]]") {
        set req.http.host = req.http.host.lower();
    }
    if (!req.http.host && req.esi_level == 0 && req.proto == "HTTP/1.1") {
        return (synth(400));
    }
}

# Only a safe method with a defined cache meaning is answered from the cache; what is not HTTP as we know it is not ours to
# interpret and goes through as it is.
sub vcl_req_method {
    if (req.method == "PRI") {
        return (synth(405));
    }
    if (req.method != "GET" && req.method != "HEAD" && req.method != "PUT" && req.method != "POST"
        && req.method != "TRACE" && req.method != "OPTIONS" && req.method != "DELETE" && req.method != "PATCH"
        && !server.rfc9111) {
        return (pipe);
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
}

# A response for one user is not for everybody. RFC 9111 leaves it to the response (3.5), and has no rule about cookies (7.3).
sub vcl_req_authorization {
    if (req.http.Authorization && !server.rfc9111) {
        return (pass);
    }
}

sub vcl_req_cookie {
    if (req.http.Cookie && !server.rfc9111) {
        return (pass);
    }
}

sub vcl_pipe {
    call vcl_builtin_pipe;
    return (pipe);
}

sub vcl_builtin_pipe {
}

sub vcl_pass {
    call vcl_builtin_pass;
    return (fetch);
}

sub vcl_builtin_pass {
}

sub vcl_hash {
    call vcl_builtin_hash;
    return (lookup);
}

sub vcl_builtin_hash {
    hash_data(req.url);
    if (req.http.host) {
        hash_data(req.http.host);
    } else {
        hash_data(server.ip);
    }
}

sub vcl_purge {
    call vcl_builtin_purge;
    return (synth(200, "Purged"));
}

sub vcl_builtin_purge {
}

sub vcl_hit {
    call vcl_builtin_hit;
    return (deliver);
}

sub vcl_builtin_hit {
}

sub vcl_miss {
    call vcl_builtin_miss;
    return (fetch);
}

sub vcl_builtin_miss {
}

sub vcl_deliver {
    call vcl_builtin_deliver;
    return (deliver);
}

sub vcl_builtin_deliver {
}

sub vcl_synth {
    call vcl_builtin_synth;
    return (deliver);
}

sub vcl_builtin_synth {
    set resp.http.Content-Type = "text/html; charset=utf-8";
    set resp.http.Retry-After = "5";
    set resp.body = {"<!DOCTYPE html>
<html lang="en">
  <head><title>"} + resp.status + " " + resp.reason + {"</title></head>
  <body>
    <h1>Error "} + resp.status + " " + resp.reason + {"</h1>
    <p>"} + resp.reason + {"</p>
    <p>Guru Meditation:</p>
    <p>XID: "} + req.xid + {"</p>
    <hr>
    <p>Varnish cache server</p>
  </body>
</html>
"};
}

sub vcl_backend_fetch {
    call vcl_builtin_backend_fetch;
    return (fetch);
}

# Content of a GET has no defined meaning (RFC 9110, 9.3.1), and what is cached must not depend on it.
sub vcl_builtin_backend_fetch {
    if (bereq.method == "GET") {
        unset bereq.body;
    }
}

sub vcl_backend_response {
    call vcl_builtin_backend_response;
    return (deliver);
}

sub vcl_builtin_backend_response {
    if (bereq.uncacheable) {
        return (deliver);
    }
    call vcl_beresp_stale;
    call vcl_beresp_cookie;
    call vcl_beresp_control;
    call vcl_beresp_vary;
}

# By RFC 9111 a response that is not fresh is stored, if it is kept at all: to be validated, or for when the origin is away.
sub vcl_beresp_stale {
    if (beresp.ttl <= 0s && (!server.rfc9111 || (beresp.grace <= 0s && beresp.keep <= 0s))) {
        call vcl_beresp_hitmiss;
    }
}

sub vcl_beresp_cookie {
    if (beresp.http.Set-Cookie && !server.rfc9111) {
        call vcl_beresp_hitmiss;
    }
}

# Surrogate-Control speaks to caches like this one and is heard instead of Cache-Control. A targeted field and RFC 9111 have been
# heard when the lifetimes were proposed.
sub vcl_beresp_control {
    if (beresp.targeted || server.rfc9111) {
        return;
    }
    if (beresp.http.Surrogate-Control ~ "(?i)no-store"
        || (!beresp.http.Surrogate-Control && beresp.http.Cache-Control ~ "(?i:no-cache|no-store|private)")) {
        call vcl_beresp_hitmiss;
    }
}

sub vcl_beresp_vary {
    if (beresp.http.Vary == "*") {
        call vcl_beresp_hitmiss;
    }
}

# For two minutes requests of this key go to the origin at once instead of waiting for each other.
sub vcl_beresp_hitmiss {
    set beresp.ttl = param.uncacheable_ttl;
    set beresp.uncacheable = true;
    return (deliver);
}

sub vcl_backend_error {
    call vcl_builtin_backend_error;
    return (deliver);
}

sub vcl_builtin_backend_error {
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.http.Retry-After = "5";
    set beresp.body = {"<!DOCTYPE html>
<html lang="en">
  <head><title>"} + beresp.status + " " + beresp.reason + {"</title></head>
  <body>
    <h1>Error "} + beresp.status + " " + beresp.reason + {"</h1>
    <p>"} + beresp.reason + {"</p>
    <p>Guru Meditation:</p>
    <p>XID: "} + bereq.xid + {"</p>
    <hr>
    <p>Varnish cache server</p>
  </body>
</html>
"};
}

sub vcl_init {
    return (ok);
}

sub vcl_fini {
    return (ok);
}
