vcl 4.1;
backend origin none;

import blob;

sub vcl_recv {
    set req.http.X = blob.encode(hex, blob = :YQ==:);  ### V316 "hex"
}
