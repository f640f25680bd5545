vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.backend_hint = orgin;               ### V302 "there is no backend orgin"
}
