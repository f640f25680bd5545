"""False findings on policies by other people, rebuilt in our own words. Each rule is silent about the first text, and
finds the mark in the second, which differs in what made the finding false."""

from __future__ import annotations

import pytest

from lint_helpers import check_marks, results_of

# A hit begins the request anew, and only an answer of the origin to this request leads to the stored response.
ASKED = """sub vcl_recv { call vcl_req_method; if (req.restarts == 0) { set req.http.X-State = "look"; return (hash); }
if (req.http.X-State == "ask") { return (pass); } return (hash); }
sub vcl_hit { if (req.http.X-State == "look" && obj.http.ETag) { set req.http.X-State = "ask"; return (restart); } return (deliver); }
sub vcl_backend_response { if (beresp.http.ETag) { set beresp.ttl = 1d; } %s }
sub vcl_deliver { if (req.http.X-State == "ask" && resp.status == 304) { unset req.http.X-State; return (restart); } }
"""
CASES = [
    # A generator of policies writes a switch as a test of a constant.
    ("CK003", "sub vcl_hash { if (false && req.http.X-Key) { hash_data(req.http.X-Key); } else { hash_data(req.url); }\n"
     " return (lookup); }",
     "sub vcl_hash { if (req.http.X-Key) { hash_data(req.http.X-Key); } else { hash_data(req.url); }\n"
     " return (lookup); #! CK003\n }"),
    # A dispatcher looks nothing up: the policy behind the label has its own key.
    ("CK002", "sub vcl_recv { return (vcl(site)); } sub vcl_hash { return (lookup); }",
     'sub vcl_recv { if (req.http.host == "a.example") { return (vcl(site)); } }\n'
     "sub vcl_hash { hash_data(req.url);\n return (lookup); #! CK002\n }"),
    ("CK003", 'sub vcl_recv { if (req.http.host == "a.example") { return (vcl(site)); } return (synth(404)); }\n'
     "sub vcl_hash { hash_data(req.http.host); return (lookup); }",
     'sub vcl_recv { if (req.http.host == "a.example") { return (vcl(site)); } return (hash); }\n'
     "sub vcl_hash { hash_data(req.http.host);\n return (lookup); #! CK003\n }"),
    ("CK002", "sub vcl_recv { return (pass); } sub vcl_hash { return (lookup); }",
     "sub vcl_recv { if (req.http.Cookie) { return (pass); } } sub vcl_hash { hash_data(req.url);\n return (lookup); #! CK002\n }"),
    ("CK001", "sub vcl_recv { if (false) { set req.http.X-Site = req.http.X-Beta; } }",
     "sub vcl_recv { if (true) {\n set req.http.X-Site = req.http.X-Beta; #! CK001\n } }"),
    ("SEC001", "sub vcl_recv { if (!true) { return (purge); } }", "sub vcl_recv { if (!false) {\n return (purge); #! SEC001\n } }"),
    # An address in place of an ACL, and a key that only the policy knows, whose test a field remembers.
    ("SEC001", 'sub vcl_recv { if (req.method == "PURGE") { if (client.ip != "127.0.0.1") { return (synth(405)); }\n return (purge); } }',
     'sub vcl_recv { if (req.method == "PURGE") { if (client.ip != "127.0.0.1" && req.http.X-Force) { return (synth(405)); }\n'
     " return (purge); #! SEC001\n } }"),
    ("SEC001", 'acl office { "192.0.2.1"; } sub vcl_recv { set req.http.X-Own-Key = "Pelikan-4711"; if (req.method == "PURGE") {\n'
     'if (req.http.X-Key == req.http.X-Own-Key) { set req.http.X-Known = "yes"; } else { set req.http.X-Known = "no"; }\n'
     'if (client.ip !~ office && req.http.X-Known != "yes") { return (synth(405)); }\n return (purge); } }',
     'acl office { "192.0.2.1"; } sub vcl_recv { if (req.method == "PURGE") {\n'
     'if (req.http.X-Key == req.http.X-Own-Key) { set req.http.X-Known = "yes"; } else { set req.http.X-Known = "no"; }\n'
     'if (client.ip !~ office && req.http.X-Known != "yes") { return (synth(405)); }\n return (purge); #! SEC001\n } }'),
    # The origin gives the token, in a first round that refuses a client's own one.
    ("SEC001", 'sub vcl_recv { if (req.restarts == 0 && req.http.X-Origin-Token) { return (synth(400)); }\n'
     'if (req.method == "PURGE" && req.restarts == 0) { return (pass); }\n'
     'if (req.method == "PURGE") { if (req.http.X-Token != req.http.X-Origin-Token) { return (synth(405)); } return (purge); } }\n'
     'sub vcl_deliver { if (req.restarts == 0) { set req.http.X-Origin-Token = resp.http.X-Token; return (restart); } }',
     'sub vcl_recv { if (req.method == "PURGE" && req.restarts == 0) { return (pass); }\n'
     'if (req.method == "PURGE") { if (req.http.X-Token != req.http.X-Origin-Token) { return (synth(405)); }\n'
     ' return (purge); #! SEC001\n } }\n'
     'sub vcl_deliver { if (req.restarts == 0) { set req.http.X-Origin-Token = resp.http.X-Token; return (restart); } }'),
    # Only pages that are passed keep Set-Cookie.
    ("CS001", 'sub vcl_recv { if (req.url ~ "/wiki-(admin|login)") { return (pass); } return (hash); }\n'
     'sub vcl_backend_response { if (beresp.http.Set-Cookie && bereq.url !~ "^/wiki-(admin|login)") { unset beresp.http.Set-Cookie; }\n'
     ' set beresp.ttl = 1d; return (deliver); }',
     'sub vcl_recv { if (req.url ~ "^/wiki-(admin|login)$") { return (pass); } return (hash); }\n'
     'sub vcl_backend_response { if (beresp.http.Set-Cookie && bereq.url !~ "^/wiki-(admin|login)") { unset beresp.http.Set-Cookie; }\n'
     ' set beresp.ttl = 1d;\n return (deliver); #! CS001\n }'),
    # The query is cut off, or a parameter added, between the two tests.
    ("CS001", 'sub vcl_recv { if (req.url ~ "/wiki-(admin|login)") { return (pass); }\n'
     'if (req.url ~ "[?]ref=") { set req.url = regsub(req.url, "[?].*$", ""); } return (hash); }\n'
     'sub vcl_backend_response { if (bereq.url !~ "^/wiki-(admin|login)") { unset beresp.http.Set-Cookie; } return (deliver); }',
     'sub vcl_recv { if (req.url ~ "/wiki-(admin|login)") { return (pass); }\n'
     'if (req.url ~ "[?]ref=") { set req.url = regsub(req.url, "^/old", ""); } return (hash); }\n'
     'sub vcl_backend_response { if (bereq.url !~ "^/wiki-(admin|login)") { unset beresp.http.Set-Cookie; }\n return (deliver); #! CS001\n }'),
    ("CS001", 'sub vcl_recv { if (req.url ~ "^/(shop|blog)/login") { return (pass); } set req.url = regsub(req.url, "[?].*", ""); return (hash); }\n'
     'sub vcl_backend_response { if (bereq.url !~ "^/shop/login$") { unset beresp.http.Set-Cookie; } return (deliver); }',
     'sub vcl_recv { if (req.url ~ "^/(shop|blog)/login$") { return (pass); } set req.url = regsub(req.url, "[?].*", ""); return (hash); }\n'
     'sub vcl_backend_response { if (bereq.url !~ "^/shop/login$") { unset beresp.http.Set-Cookie; }\n return (deliver); #! CS001\n }'),
    ("CS001", 'sub vcl_recv { if (req.url ~ "/wiki-admin") { return (pass); } return (hash); }\n'
     'sub vcl_miss { if (req.url ~ "[?]") { set req.http.X-Add = "&kind=" + req.http.X-Kind; } else { set req.http.X-Add = "?kind=" + req.http.X-Kind; }\n'
     "set req.url = req.url + req.http.X-Add; }\n"
     'sub vcl_backend_response { if (bereq.url !~ "^/wiki-admin") { unset beresp.http.Set-Cookie; } return (deliver); }',
     'sub vcl_recv { if (req.url ~ "/wiki-admin") { return (pass); } return (hash); }\n'
     'sub vcl_miss { if (req.url ~ "[?]") { set req.http.X-Add = "&kind=" + req.http.X-Kind; } else { set req.http.X-Add = "-" + req.http.X-Kind; }\n'
     "set req.url = req.url + req.http.X-Add; }\n"
     'sub vcl_backend_response { if (bereq.url !~ "^/wiki-admin") { unset beresp.http.Set-Cookie; }\n return (deliver); #! CS001\n }'),
    ("CS001", 'sub vcl_recv { if (req.url ~ "/wiki-admin") { return (pass); } set req.url = req.url + "?v=2"; return (hash); }\n'
     'sub vcl_backend_response { if (bereq.url !~ "^/wiki-admin") { unset beresp.http.Set-Cookie; } return (deliver); }',
     'sub vcl_recv { if (req.url ~ "/wiki-admin") { return (pass); } set req.url = req.url + "-admin"; return (hash); }\n'
     'sub vcl_backend_response { if (bereq.url !~ "^/wiki-admin") { unset beresp.http.Set-Cookie; }\n return (deliver); #! CS001\n }'),
    # Where a field is there, vcl_hash adds that field in the place of the cookie.
    ("CS003", 'sub vcl_recv { call vcl_req_method; if (req.url ~ "/api" && !req.http.X-Id) { return (pass); } return (hash); }\n'
     'sub of_api { if (req.http.X-Id) { hash_data(req.http.X-Id); } }\n'
     'sub vcl_hash { if (req.url !~ "/api" || !req.http.X-Id) { hash_data(req.http.Cookie); } if (req.url ~ "/api") { call of_api; } }',
     'sub vcl_recv { call vcl_req_method; if (req.url ~ "/api" && !req.http.X-Id) { return (pass); } if (req.url ~ "/api") {\n'
     ' return (hash); #! CS003\n } return (pass); }\n'
     'sub vcl_hash { if (req.url !~ "/api" || !req.http.X-Id) { hash_data(req.http.Cookie); } }'),
    ("CS003", 'sub vcl_recv { call vcl_req_method; if (req.http.X-Id) { return (hash); } return (pass); }\n'
     'sub vcl_hash { if (req.http.X-Id) { hash_data(req.http.X-Id); } else { hash_data(req.http.Cookie); } }',
     'sub vcl_recv { call vcl_req_method; if (req.http.X-Id) {\n return (hash); #! CS003\n } return (pass); }\n'
     'sub vcl_hash { if (!req.http.X-Id) { hash_data(req.http.Cookie); } if (req.http.X-Zone) { hash_data(req.http.X-Zone); } }'),
    # Only the round after a GET has the note, and the first round refuses it from clients.
    ("CS003", 'sub vcl_recv { if (req.restarts == 0 && req.http.X-Note ~ "who") { return (synth(400)); }\n'
     'if (req.restarts == 0 && (req.method == "GET" || req.method == "HEAD")) { unset req.http.Cookie; set req.http.X-Note = "who"; return (hash); }\n'
     'if (req.restarts > 0 && req.http.X-Note == "who") { unset req.http.X-Note; unset req.http.Cookie; return (hash); } }\n'
     "sub vcl_deliver { if (req.restarts == 0 && resp.http.X-Who) { return (restart); } }",
     'sub vcl_recv { if (req.restarts == 0 && (req.method == "GET" || req.method == "HEAD")) { unset req.http.Cookie; set req.http.X-Note = "who"; return (hash); }\n'
     'if (req.restarts > 0 && req.http.X-Note == "who") { unset req.http.X-Note; unset req.http.Cookie;\n return (hash); #! CS003\n } }\n'
     "sub vcl_deliver { if (req.restarts == 0 && resp.http.X-Who) { return (restart); } }"),
    # The hooks answer the requests whose method the policy has set: they never reach the origin.
    ("CK001", 'acl office { "192.0.2.1"; } sub vcl_recv { if (client.ip ~ office) { if (req.http.X-Fresh == "no-cache") { set req.method = "PURGE"; }\n'
     'if (req.method == "PURGE") { return (hash); } } if (req.url ~ "[.]css$") { unset req.http.Cookie; } return (hash); }\n'
     'sub vcl_hit { if (req.method == "PURGE") { return (synth(200)); } }\n'
     'sub vcl_miss { if (req.method == "PURGE") { return (synth(200)); } }',
     'acl office { "192.0.2.1"; } sub vcl_recv { if (client.ip ~ office) { if (req.http.X-Fresh == "no-cache") { set req.method = "PURGE"; }\n'
     'if (req.method == "PURGE") { return (hash); } } if (req.url ~ "[.]css$") {\n unset req.http.Cookie; #! CK001\n } return (hash); }\n'
     'sub vcl_hit { if (req.method == "PURGE") { return (synth(200)); } }'),
    # Nothing leads to the hook with the reason.
    ("SEC008", 'sub vcl_recv { if (req.method == "PURGE") { return (synth(405)); } }\n'
     'sub vcl_purge { return (synth(200, "Removed " + req.url)); }\n sub vcl_synth { synthetic(resp.reason); return (deliver); }',
     'sub vcl_recv { if (req.http.X-Purge == "Pelikan-4711") { return (purge); } }\n'
     'sub vcl_purge {\n return (synth(200, "Removed " + req.url)); #! SEC008\n }\n sub vcl_synth { synthetic(resp.reason); return (deliver); }'),
    # A deny-list that answers in both branches.
    ("RE002", 'sub vcl_recv { if (req.http.Referer ~ "spam.example") {\n'
     'if (req.http.X-Country == "fi") { return (synth(403)); } else { return (synth(666)); } } }',
     'sub vcl_recv {\n if (req.http.Referer ~ "spam.example") { #! RE002\n'
     'if (req.http.X-Country == "fi") { return (synth(403)); } } }'),
    # A response that may be stored is fetched with GET, whatever the client sent.
    ("CS001", 'sub vcl_backend_response { if (bereq.method == "GET" || bereq.method == "HEAD") { unset beresp.http.Set-Cookie; }\n'
     " return (deliver); }",
     'sub vcl_backend_fetch { set bereq.method = "POST"; }\n'
     'sub vcl_backend_response { if (bereq.method == "GET") { unset beresp.http.Set-Cookie; }\n'
     " return (deliver); #! CS001\n }"),
    # A pattern that a POST does not match.
    ("CS003", 'sub vcl_recv { unset req.http.Cookie; if (req.method !~ "^(GET|HEAD)$") { return (pass); } return (hash); }',
     'sub vcl_recv { unset req.http.Cookie; if (req.method !~ "^(GET|HEAD|POST)$") { return (pass); }\n'
     " return (hash); #! CS003\n }"),
    # A look-up that is no request for a page: vcl_hit answers it.
    ("CS005", 'sub vcl_recv { unset req.http.Cookie; if (req.method == "REFRESH") { return (hash); } }\n'
     'sub vcl_hit { if (req.method == "REFRESH") { return (synth(200)); } }',
     'sub vcl_recv { unset req.http.Cookie; if (req.method == "GET") {\n return (hash); #! CS005\n } }'),
    # The jar of the module is part of the key.
    ("CS003", "import cookie; sub vcl_recv { call vcl_req_method; cookie.parse(req.http.Cookie); return (hash); }\n"
     'sub vcl_hash { hash_data(cookie.get("language")); }',
     "import cookie; sub vcl_recv { call vcl_req_method; cookie.parse(req.http.Cookie);\n"
     " return (hash); #! CS003\n }"),
    # The way with the client's value ends before the test.
    ("SEC006", 'sub vcl_recv { if (req.url ~ "^/old") { return (synth(301, "/new")); } set req.http.X-User = "nobody"; }\n'
     "sub vcl_synth { if (resp.status == 301) { return (deliver); } if (req.http.X-User) { return (restart); } }",
     'sub vcl_recv { if (req.url ~ "^/old") { return (synth(410)); }\n'
     ' set req.http.X-User = "nobody"; #! SEC006\n }\n'
     "sub vcl_synth { if (resp.status == 301) { return (deliver); } if (req.http.X-User) { return (restart); } }"),
    # The policy clears the field in the first round, and sets it to constants.
    ("SEC008", "sub vcl_recv { if (req.restarts == 0) { unset req.http.X-Reply; }\n"
     ' if (req.url ~ "x") { set req.http.X-Reply = "no"; return (synth(403)); } }\n'
     "sub vcl_synth { synthetic(req.http.X-Reply); return (deliver); }",
     'sub vcl_recv { if (req.url ~ "x") { set req.http.X-Reply = "no"; return (synth(403)); } }\n'
     "sub vcl_synth {\n synthetic(req.http.X-Reply); #! SEC008\n return (deliver); }"),
    # The policy puts an address into the field.
    ("SEC008", 'import std; sub vcl_recv { set req.http.X-Seen = "at " + std.ip(req.http.X-Real-IP, client.ip); }\n'
     'sub vcl_synth { synthetic("<p>" + req.http.X-Seen); return (deliver); }',
     'import std; sub vcl_recv { set req.http.X-Seen = "at " + req.http.X-Real-IP; }\n'
     'sub vcl_synth {\n synthetic("<p>" + req.http.X-Seen); #! SEC008\n return (deliver); }'),
    # A substitution removes the text that a path appends.
    ("SEC009", 'sub vcl_recv { set req.http.Cookie = ";" + req.http.Cookie; set req.http.Cookie = regsub(req.http.Cookie, "^;", ""); }\n'
     "sub vcl_deliver { if (resp.status == 503 && req.restarts == 0) { return (restart); } }",
     'sub vcl_recv {\n set req.http.Cookie = ";" + req.http.Cookie; #! SEC009\n }\n'
     "sub vcl_deliver { if (resp.status == 503 && req.restarts == 0) { return (restart); } }"),
    # Requests with cookies were passed before.
    ("CS013", 'sub vcl_recv { if (req.http.Cookie) { return (pass); } if (req.url ~ "[.]css$") { unset req.http.Cookie; } }',
     'sub vcl_recv { if (req.http.Cookie ~ "a=") { return (pass); }\n'
     ' if (req.url ~ "[.]css$") { #! CS013\n unset req.http.Cookie; } }'),
    # No request is looked up.
    ("CK010", "sub vcl_recv { if (req.url ~ \"x\") { return (synth(200)); } return (pass); }",
     "sub vcl_recv { #! CK010\n if (req.url ~ \"x\") { return (synth(200)); } }"),
    # The other half of the condition leaves private pages out.
    ("CS013", 'sub vcl_recv { if (req.url ~ "^/themes/" && req.url ~ "[.](css|js)$") { unset req.http.Cookie; } }',
     'sub vcl_recv { if (req.url ~ "^/[a-z]" &&\n req.url ~ "[.](css|js)$") { #! CS013\n unset req.http.Cookie; } }'),
    # Cookies and Authorization are passed, so that a lifetime stores no page of one user.
    ("CS013", 'sub vcl_backend_response { if (bereq.url ~ "[.]jpg$" && beresp.status == 200) { set beresp.ttl = 60s; } }',
     'sub vcl_recv { if (req.url !~ "^/login") { return (hash); } }\n'
     'sub vcl_backend_response {\n if (bereq.url ~ "[.]jpg$" && beresp.status == 200) { #! CS013\n set beresp.ttl = 60s; } }'),
    ("CS013", 'sub vcl_recv { call vcl_req_authorization; return (hash); } sub vcl_hash { hash_data(req.http.Cookie); }\n'
     'sub vcl_backend_response { if (bereq.url ~ "[.]jpg$") { set beresp.ttl = 60s; } }',
     'sub vcl_recv { unset req.http.Cookie; return (hash); }\n'
     'sub vcl_backend_response {\n if (bereq.url ~ "[.]jpg$") { #! CS013\n set beresp.ttl = 60s; } }'),
    # vcl_recv has removed the query.
    ("CS013", 'sub vcl_recv { set req.url = regsub(req.url, "[?].*$", ""); return (hash); }\n'
     'sub vcl_backend_response { if (bereq.url ~ "[.]jpg$") { set beresp.ttl = 60s; } }',
     'sub vcl_recv { set req.url = regsub(req.url, "#.*$", ""); return (hash); }\n'
     'sub vcl_backend_response {\n if (bereq.url ~ "[.]jpg$") { #! CS013\n set beresp.ttl = 60s; } }'),
    # A lifetime of zero stores nothing.
    ("CS013", 'sub vcl_recv { return (hash); } sub vcl_backend_response { if (bereq.url ~ "[.]jpg$") { set beresp.ttl = 0s; } }',
     'sub vcl_recv { return (hash); } sub vcl_backend_response {\n if (bereq.url ~ "[.]jpg$") { #! CS013\n set beresp.ttl = 1s; } }'),
    # An ACL of the proxies themselves, which only decides about what they send.
    ("SEC003", 'acl own { "127.0.0.1"; } sub vcl_recv { if (req.http.X-Forwarded-Proto == "http") { return (synth(301)); }\n'
     " if (client.ip !~ own) { unset req.http.X-Forwarded-For; } }",
     'acl own { "127.0.0.1"; } sub vcl_recv { if (req.http.X-Forwarded-Proto == "http") { return (synth(301)); }\n'
     " if (client.ip !~ own) { #! SEC003\n return (synth(403)); } }"),
    # The path leaves a mark that the next round asks for.
    ("FL006", 'sub vcl_recv { if (req.http.X-Was) { return (synth(801)); } }\n'
     'sub vcl_deliver { if (resp.status == 500) { set req.http.X-Was = "500"; return (restart); } }',
     'sub vcl_deliver { if (resp.status == 500) { set req.http.X-Was = "500";\n return (restart); #! FL006\n } }'),
    # The next round asks the origin for something else: it follows a redirect.
    ("FL006", 'sub vcl_backend_response { if (beresp.status == 301) { set bereq.url = beresp.http.Location; return (retry); } }',
     'sub vcl_backend_response { if (beresp.status == 301) { set bereq.http.X-Url = beresp.http.Location;\n return (retry); #! FL006\n } }'),
    ("FL006", "backend other none; sub vcl_deliver { if (resp.status == 503) { set req.backend_hint = other; return (restart); } }",
     'sub vcl_deliver { if (resp.status == 503) { set req.http.X-Other = "1";\n return (restart); #! FL006\n } }'),
    # A return that no request reaches, and one for another method than GET.
    ("CK013", 'import std; sub vcl_recv { if (req.method == "PURGE" || req.method == "BAN") { if (req.method == "BAN") { return (synth(200)); }\n'
     'if (req.method == "PURGE") { return (synth(201)); } return (hash); } set req.url = std.querysort(req.url); }',
     'import std; sub vcl_recv { if (req.method == "GET" || req.method == "BAN") { if (req.method == "BAN") { return (synth(200)); }\n'
     'if (req.method == "PURGE") { return (synth(201)); } return (hash); }\n set req.url = std.querysort(req.url); #! CK013\n }'),
    # A substitution that writes another text removes nothing.
    ("CK011", 'sub vcl_recv { set req.url = regsub(req.url, "content", "notify"); }',
     'sub vcl_recv {\n set req.url = regsub(req.url, "content=[^&]*", "?"); #! CK011\n }'),
    # A response with `public` is not private.
    ("CS004", 'sub vcl_backend_response { if (!(beresp.http.Cache-Control ~ "public")) { return (pass); } call vcl_beresp_cookie; return (deliver); }',
     'sub vcl_backend_response { if (!(beresp.http.Cache-Control ~ "max-age")) { return (pass); } call vcl_beresp_cookie;\n return (deliver); #! CS004\n }'),
    # Some cookies, by their names.
    ("CS002", 'sub vcl_backend_response { if (beresp.http.Set-Cookie ~ "^track=") { unset beresp.http.Set-Cookie; } }',
     "sub vcl_backend_response { if (beresp.http.Set-Cookie) {\n unset beresp.http.Set-Cookie; #! CS002\n } }"),
    # A return stands before the statement.
    ("CS013", r'sub vcl_recv { if (req.url ~ "\.css$") { return (pass); unset req.http.Cookie; } }',
     r'sub vcl_recv {' '\n' r' if (req.url ~ "\.css$") { #! CS013' '\n unset req.http.Cookie; return (hash); } }'),
    # The address of the client, as a CDN sends it.
    ("CK001", "sub vcl_recv { set req.http.CF-Connecting-IP = client.ip; }",
     "sub vcl_recv {\n set req.http.CF-Group = client.ip; #! CK001\n }"),
    # Clients get the fields of a response.
    ("SEC016", 'sub vcl_deliver { set resp.http.X-Auth = "Logged-in4711"; }',
     'sub vcl_backend_fetch {\n set bereq.http.X-Auth = "Logged-in4711"; #! SEC016\n }'),
    # The host decides the backend. What some of its requests meet behind that leads each of them to the same end.
    ("CK001", 'backend shop { .host = "192.0.2.2"; } sub vcl_recv { if (req.http.host == "shop.example") {\n'
     ' set req.backend_hint = shop; if (req.http.X-Kind ~ "ajax") { return (hash); } return (hash); } }',
     'backend shop { .host = "192.0.2.2"; } sub vcl_recv { if (req.http.host == "shop.example") {\n'
     ' set req.backend_hint = shop; #! CK001\n if (req.http.X-Kind ~ "ajax") { return (hash); } } set req.backend_hint = origin; }'),
    ("CK001", 'backend shop { .host = "192.0.2.2"; } sub rules { if (req.http.X-Kind) { unset req.http.Cookie; return (hash); }\n'
     'if (req.http.X-Bad) { return (synth(403)); } }\n'
     'sub vcl_recv { if (req.http.host ~ "^shop") { set req.backend_hint = shop; call rules; unset req.http.Cookie; return (hash); } }',
     'backend shop { .host = "192.0.2.2"; } sub rules { if (req.http.X-Kind) { unset req.http.Cookie; return (hash); }\n'
     'if (req.http.X-Bad) { return (synth(403)); } }\n'
     'sub vcl_recv { if (req.http.host ~ "^shop") { call rules;\n set req.backend_hint = shop; #! CK001\n unset req.http.Cookie; return (hash); } }'),
    # A purge that is looked up, in a policy that makes a GET of another method.
    ("CK001", 'sub vcl_recv { if (req.method == "PURGE" && req.http.X-Kind != "regex") { return (hash); }\n'
     'if (req.method == "REFRESH") { set req.method = "GET"; } set req.http.X-Device = "d"; }',
     'sub vcl_recv { if (req.method == "GET" && req.http.X-Kind != "regex") { return (hash); }\n'
     'if (req.method == "REFRESH") { set req.method = "GET"; }\n set req.http.X-Device = "d"; #! CK001\n }'),
    # The origin is asked about each request before it gets a stored response.
    ("CS005", ASKED % "else { set beresp.uncacheable = true; }", ASKED.replace("return (hash);", "\n return (hash); #! CS005\n", 1) % ""),
    ("CS003", ASKED % "else { return (pass(1m)); }", ASKED.replace("return (hash);", "\n return (hash); #! CS003\n", 1).replace(
        'return (pass); }', 'unset req.http.X-State; }') % "else { return (pass(1m)); }"),
    # Two backends with one address, of which one waits longer.
    ("CK001", 'backend slow { .first_byte_timeout = 900s; .host = "192.0.2.1"; }\n'
     'sub vcl_recv { if (req.http.Cookie ~ "editor=") { set req.backend_hint = slow; } unset req.http.Cookie; return (hash); }',
     'backend slow { .first_byte_timeout = 900s; .host = "192.0.2.2"; }\n'
     'sub vcl_recv { if (req.http.Cookie ~ "editor=") {\n set req.backend_hint = slow; #! CK001\n } unset req.http.Cookie; return (hash); }'),
    # Another ACL on the way, whose members may do no more than others.
    ("SEC002", 'acl front { "198.18.0.0"/15; } acl office { "192.0.2.1"; } sub vcl_recv {\n'
     "if (req.http.X-Real-IP) { if (client.ip !~ front) { set req.http.X-Real-IP = client.ip; } } else { set req.http.X-Real-IP = client.ip; }\n"
     'if (req.method == "PURGE") { if (client.ip !~ office && req.http.X-Key != "Pelikan-4711") { return (synth(405)); } return (purge); } }',
     'acl front {\n "198.18.0.0"/15; #! SEC002\n } acl office { "192.0.2.1"; } sub vcl_recv {\n'
     'if (req.method == "PURGE") { if (client.ip !~ office && client.ip !~ front) { return (synth(405)); } return (purge); } }'),
    # A page that tells a load balancer whether the origin works.
    ("CS012", 'import std; sub vcl_recv { if (req.url ~ "^/status$" && !std.healthy(req.backend_hint)) { return (synth(503)); } }',
     'import std; sub vcl_recv { if (req.url ~ "^/shop" && !std.healthy(req.backend_hint)) {\n return (synth(503)); #! CS012\n } }'),
    # The URL in the key and that of the fetch are made alike, of one field.
    ("CK001", 'import std; sub vcl_recv { set req.url = req.http.X-Path; set req.url = std.querysort(req.url); }\n'
     "sub vcl_backend_fetch { if (bereq.http.X-Path) { set bereq.url = bereq.http.X-Path; set bereq.url = std.querysort( bereq.url ); } }",
     'import std; sub vcl_recv { set req.url = req.http.X-Path;\n set req.url = std.querysort(req.url); #! CK001\n }\n'
     "sub vcl_backend_fetch { if (bereq.http.X-Path) { set bereq.url = bereq.http.X-Other; set bereq.url = std.querysort(bereq.url); } }"),
    # Hits lose the cookie that only the visitor who fetched the page gets.
    ("CS001", "sub vcl_backend_response { set beresp.ttl = 1h; return (deliver); } sub vcl_deliver {\n"
     'set resp.http.Age = "0"; if (obj.hits > 0) { unset resp.http.Set-Cookie; set resp.http.X-Cache = "HIT"; } }',
     "sub vcl_backend_response { set beresp.ttl = 1h;\n return (deliver); #! CS001\n } sub vcl_deliver {\n"
     "if (req.http.X-Raw) { return (deliver); } if (obj.hits > 0) { unset resp.http.Set-Cookie; } }"),
    ("CS001", "sub vcl_backend_response { set beresp.ttl = 1h; return (deliver); } sub vcl_deliver { unset resp.http.Set-Cookie; }",
     "sub vcl_backend_response { set beresp.ttl = 1h;\n return (deliver); #! CS001\n }\n"
     "sub vcl_deliver { if (obj.hits == 0) { unset resp.http.Set-Cookie; } }"),
    # Only requests that are passed already come to the pass.
    ("CS007", 'sub vcl_backend_response { if (bereq.method != "GET" && bereq.method != "HEAD") { return (pass); } }',
     'sub vcl_backend_response { if (bereq.method != "HEAD") {\n return (pass); #! CS007\n } }'),
    # The arm that looks up early has a URL without a query, and a host of its own.
    ("CK013", 'import std; sub vcl_recv { if (req.url ~ "\\.css") { set req.url = regsub(req.url, "\\?.*", ""); return (hash); }\n'
     "set req.url = std.querysort(req.url); }",
     'import std; sub vcl_recv { if (req.url ~ "\\.css") { set req.http.host = "static.example"; return (hash); }\n'
     " set req.url = std.querysort(req.url); #! CK013\n }"),
    ("CK013", 'sub vcl_recv { if (req.http.X-Token) { set req.http.host = "api.example"; return (hash); }\n'
     'set req.http.host = regsub(req.http.host, ":.*", ""); }',
     'sub vcl_recv { if (req.http.X-Token) { set req.http.host = "api.example"; } elseif (req.http.X-Other) { return (hash); }\n'
     ' set req.http.host = regsub(req.http.host, ":.*", ""); #! CK013\n }'),
    # The URLs for which the two inputs stand in the key differ, and the key has the URL.
    ("CK004", 'sub vcl_hash { hash_data(req.url); if (req.http.X-A && (req.url == "/a" || req.url ~ "^/menu/")) { hash_data(req.http.X-A); }\n'
     'if (req.http.X-B && (req.url == "/robots.txt" || req.url == "/b")) { hash_data(req.http.X-B); } return (lookup); }',
     'sub vcl_hash { hash_data(req.url); if (req.http.X-A && (req.url == "/a" || req.url ~ "^/menu/")) { hash_data(req.http.X-A); }\n'
     'if (req.http.X-B && (req.url == "/robots.txt" || req.url == "/a")) {\n hash_data(req.http.X-B); #! CK004\n } return (lookup); }'),
    ("CK004", 'sub vcl_hash { hash_data(req.url); if (req.url ~ "^/a") { hash_data(req.http.X-A); } if (req.url ~ "^/b") { hash_data(req.http.X-B); }\n'
     "return (lookup); }",
     'sub vcl_hash { hash_data(regsub(req.url, "^/.", "")); if (req.url ~ "^/a") { hash_data(req.http.X-A); }\n'
     'if (req.url ~ "^/b") {\n hash_data(req.http.X-B); #! CK004\n } return (lookup); }'),
]


@pytest.mark.parametrize("rule, silent, found", CASES)
def test_a_false_finding_is_gone_and_a_true_one_stays(rule: str, silent: str, found: str) -> None:
    check_marks(silent, rule)
    check_marks(found, rule)


#: Rule, severity, policy: true findings of little use are notes.
SEVERITIES = [
    # A ttl that the origin gave, and one by the policy.
    ("CS002", "note", "sub vcl_backend_response { if (beresp.ttl > 0s && bereq.method == \"GET\") { unset beresp.http.Set-Cookie; } }"),
    ("CS002", "note", "sub vcl_backend_response { if (beresp.ttl <= 0s) { return (deliver); } unset beresp.http.Set-Cookie; }"),
    ("CS002", "warning", "sub vcl_backend_response { set beresp.ttl = 1h; if (beresp.ttl > 0s) { unset beresp.http.Set-Cookie; } }"),
    ("CS002", "warning", "sub vcl_backend_response { if (beresp.ttl <= 0s) { unset beresp.http.Set-Cookie; return (deliver); } unset beresp.http.Set-Cookie; }"),
    ("CS002", "warning", "sub vcl_backend_response { if (beresp.ttl > 0s) { set beresp.ttl = 1d; } unset beresp.http.Set-Cookie; }"),
    # A pattern of a host without an end matches more than its dots do.
    ("RE001", "note", 'sub vcl_recv { if (req.http.host ~ "www.example.com") { return (pass); } }'),
    ("RE001", "warning", 'sub vcl_recv { if (req.http.host ~ "^www.example.com$") { return (pass); } }'),
    # A pattern for bans by trusted clients, who read it in the answer, and one that also decides.
    ("SEC010", "note", 'acl own { "192.0.2.1"; } sub vcl_recv { if (client.ip ~ own) { ban("obj.http.tag ~ " + req.http.X-Tag); return (synth(200, req.http.X-Tag)); } }'),
    ("SEC010", "warning", 'sub vcl_recv { ban("obj.http.tag ~ " + req.http.X-Tag); return (synth(200, req.http.X-Tag)); }'),
    # A return behind branches that all return, and what somebody wrote to run.
    ("FL001", "note", 'sub vcl_recv { if (req.url == "/") { return (pass); } else { return (hash); } return (hash); }'),
    ("FL001", "warning", 'sub vcl_recv { if (req.url == "/") { return (pass); } else { return (hash); } unset req.http.X-A; return (hash); }'),
    ("FL001", "warning", "sub vcl_recv { return (hash); return (pass); }"),
]


@pytest.mark.parametrize("rule, severity, policy", SEVERITIES)
def test_a_true_finding_that_nobody_has_to_mend_is_a_note(rule: str, severity: str, policy: str) -> None:
    assert severity in [result.diagnostic.severity.value for result in results_of(policy, (rule,))]


def test_a_pattern_can_match_a_field_that_does_not_exist() -> None:
    """What the policy knows after `~ "^$"` held is not that the field exists."""
    check_marks('sub vcl_recv { call vcl_req_method; if (req.http.Cookie ~ "^$") {\n return (hash); #! CS003\n } }', "CS003")
    check_marks('sub vcl_recv { call vcl_req_method; if (req.http.Cookie ~ "^x=1$") {\n return (hash); #! CS003\n } }', "CS003")
