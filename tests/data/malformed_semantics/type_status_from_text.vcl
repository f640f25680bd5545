vcl 4.1;
backend origin none;

sub vcl_deliver {
    set resp.status = "404";                    ### V301 "STRING is not INT"
}
