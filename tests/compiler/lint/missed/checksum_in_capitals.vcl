# Checksums have small letters.

import digest;
sub vcl_recv {
    set req.http.X-Sum = digest.hash_sha256(req.url);
    if (req.http.X-Sum == "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08") { #! TY008
        return (pass);
    }
}

#### without the fault

import digest;
sub vcl_recv {
    set req.http.X-Sum = digest.hash_sha256(req.url);
    if (req.http.X-Sum == "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08") {
        return (pass);
    }
}
