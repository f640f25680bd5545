# The page had a field of the answer in it. That field had the URL.

sub vcl_synth {
    set resp.http.X-Asked = req.url; #! SEC008
    set resp.http.Content-Type = "text/html; charset=utf-8";
    call page;
    return (deliver);
}

sub page {
    synthetic("<p>Not found: " + resp.http.X-Asked + "</p>");
}
