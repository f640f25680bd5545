# https://github.com/adobe/edgly
# A policy in version control held a password.

sub vcl_recv {
    if (req.http.Authorization != "Basic c3RhZ2U6Y2FjaGUxMjM=") { #! SEC016
        return (synth(401));
    }
}
