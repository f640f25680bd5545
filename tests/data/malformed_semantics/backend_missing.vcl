vcl 4.1;                                        ### V516 "no backend is declared"

sub vcl_recv {
    return (pass);
}
