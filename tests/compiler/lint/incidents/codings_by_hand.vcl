# https://github.com/jonbaldie/varnish/pull/36
# The template normalised Accept-Encoding itself, and ignored q=0.

sub vcl_recv {
    if (req.http.Accept-Encoding ~ "gzip") {
        set req.http.Accept-Encoding = "gzip"; #! CK008
    } else {
        unset req.http.Accept-Encoding;
    }
}
