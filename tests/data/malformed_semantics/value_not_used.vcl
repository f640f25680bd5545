vcl 4.1;
backend origin none;

sub vcl_recv {
    regsub(req.url, "a", "b");                  ### V324 "not used"
}
