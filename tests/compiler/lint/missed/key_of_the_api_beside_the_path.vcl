# The API was open to requests without a key.

sub vcl_recv {
    if (req.url ~ "^/api/" && req.http.X-Api-Key == "") { #! TY001
        return (synth(401));
    }
}

#### without the fault

sub vcl_recv {
    if (req.url ~ "^/api/" && !req.http.X-Api-Key) {
        return (synth(401));
    }
}
