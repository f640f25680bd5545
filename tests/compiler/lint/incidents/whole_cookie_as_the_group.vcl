# https://www.fastly.com/documentation/guides/vcl/best-practices/
# A visitor without the cookie's part got the whole field in its place.

sub vcl_recv {
    unset req.http.X-Group;
    set req.http.X-Group = regsub(req.http.Cookie, "^.*group=([a-z]+).*$", "\1"); #! SEC017
}

sub vcl_hash {
    hash_data(req.http.X-Group);
}
