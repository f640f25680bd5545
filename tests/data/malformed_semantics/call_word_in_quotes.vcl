vcl 4.1;
backend origin none;

import blob;

sub vcl_recv {
    set req.http.X = blob.encode("HEX", blob = :YQ==:);  ### V316 "not a value of encoding"
}
