# A policy with the behaviour that policies for WordPress with the plugin Proxy Cache Purge have, in our words.
# tests/proxy/test_cms_policies.py walks through it, and through public ones (make cms).
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

acl purge {
    "127.0.0.1";
}

# The plugin asks for one page, or for all that match a pattern.
sub remove {
    if (client.ip !~ purge) {
        return (synth(405, "Not allowed."));
    }
    if (req.http.X-Purge-Method == "regex") {
        ban("obj.http.X-Url ~ " + req.url + " && obj.http.X-Host == " + req.http.Host);
    } else {
        ban("obj.http.X-Url == " + req.url + " && obj.http.X-Host == " + req.http.Host);
    }
    return (synth(200, "Purged."));
}

sub vcl_recv {
    if (req.method == "PURGE") {
        call remove;
    }
    if (req.method !~ "^(GET|HEAD|PUT|POST|PATCH|TRACE|OPTIONS|DELETE)$") {
        return (pipe);
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.url ~ "^[^?]*\.(css|js|png|gif|jpe?g|ico|pdf|txt)(\?|$)") {
        set req.url = regsub(req.url, "\?.*$", "");
        unset req.http.Cookie;
        return (hash);
    }
    # Users who are logged in, have commented, or know the password of a page see pages of their own.
    if (req.http.Cookie ~ "wp-postpass_|wordpress_logged_in_|comment_author|PHPSESSID") {
        return (pass);
    }
    if (req.url ~ "/wp-(admin|login|cron|comments-post)" || req.http.X-Requested-With == "XMLHttpRequest") {
        return (pass);
    }
    set req.url = regsub(req.url, "\?replytocom=.*$", "");
    unset req.http.Cookie;
    return (hash);
}

sub vcl_backend_response {
    set beresp.http.X-Url = bereq.url;
    set beresp.http.X-Host = bereq.http.Host;
    set beresp.grace = 2m;
    if (bereq.url ~ "\.(css|js|png|gif|jpe?g|ico|pdf|txt)$") {
        unset beresp.http.Set-Cookie;
        set beresp.ttl = 1d;
    }
    if (beresp.http.Set-Cookie || beresp.http.Cache-Control ~ "private" || beresp.ttl <= 0s) {
        set beresp.uncacheable = true;
        set beresp.ttl = 120s;
    }
    return (deliver);
}

sub vcl_deliver {
    unset resp.http.X-Url;
    unset resp.http.X-Host;
}
