# A page from a file, with the URL behind it.

import std;
sub vcl_backend_error {
    set beresp.http.Content-Type = "text/html";
    set beresp.body = std.fileread("/etc/error.html") + bereq.url; #! SEC008
    return (deliver);
}
