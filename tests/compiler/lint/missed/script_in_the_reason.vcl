# The built-in page shows the reason as it is. A link with a script in its query ran on the site.

sub vcl_recv {
    if (req.url ~ "^/intern/") {
        return (synth(404, "No page " + req.url)); #! SEC008
    }
}

#### without the fault

# The reason is a target here, and the page of this status has no text.

sub vcl_recv {
    if (req.url ~ "^/intern/") {
        return (synth(751, "https://intern.example" + req.url));
    }
    if (req.url ~ "^/old/") {
        return (synth(404, "No page here any more"));
    }
}

sub vcl_synth {
    if (resp.status == 751) {
        set resp.http.Location = resp.reason;
        set resp.status = 302;
        return (deliver);
    }
}
