# Old links led nowhere: the target was set under a shorter name.

sub vcl_recv {
    if (req.url ~ "^/old/") {
        set req.http.X-Redir = "https://www.example.com/new/";
        return (synth(301));
    }
}
sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = req.http.X-Redirect; #! SEC020 UN010
        return (deliver);
    }
}

#### without the fault

sub vcl_recv {
    if (req.url ~ "^/old/") {
        set req.http.X-Redir = "https://www.example.com/new/";
        return (synth(301));
    }
}
sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = req.http.X-Redir;
        return (deliver);
    }
}
