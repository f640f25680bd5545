vcl 4.1;
import std;

backend default {
    .host = "127.0.0.1";
    .port = "@ORIGIN@";
    .connect_timeout = 5s;
    .first_byte_timeout = 3s;
    .between_bytes_timeout = 2s;
}

sub vcl_recv {
    if (req.method == "PURGE") { return (purge); }
    if (req.method == "BAN") {
        if (!std.ban(req.http.X-Ban)) { return (synth(503)); }
        return (synth(204));
    }
    if (req.http.X-Pass) { return (pass); }
    return (hash);
}

sub vcl_backend_response {
    set beresp.grace = 2s;
    set beresp.keep = 30s;
    if (beresp.status >= 500) { return (abandon); }
    if (beresp.http.X-Do == "esi") { set beresp.do_esi = true; }
    if (beresp.http.X-Do == "gzip") { set beresp.do_gzip = true; }
    if (beresp.http.X-Do == "gunzip") { set beresp.do_gunzip = true; }
    if (beresp.http.X-Whole) { set beresp.do_stream = false; }
    return (deliver);
}

sub vcl_backend_error {
    set beresp.http.Content-Type = "text/plain";
    synthetic("{FAIL}");
    return (deliver);
}

sub vcl_synth {
    synthetic("{FAIL}");
    return (deliver);
}

sub vcl_deliver {
    set resp.http.X-Policy = "@POLICY@";
    if (obj.hits > 0) { set resp.http.X-Hit = "1"; }
    return (deliver);
}
