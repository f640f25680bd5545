# https://tambesec.tech/posts/Unauthenticated-Cache-Purging-BugBounty/
# Anyone could remove pages, one URL at a time, and load the origin.

sub vcl_recv {
    if (req.method == "PURGE" && req.url !~ "^/admin/") {
        return (purge); #! SEC001
    }
}
