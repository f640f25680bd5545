vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.url = regsubal(req.url, "a", "b");  ### V302 "there is no function regsubal"
}
