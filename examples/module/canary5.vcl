# canary.vcl in version 5.0.
vcl 5.0;

import canary;

backend stable { .host = "127.0.0.1"; .port = "8081"; }

backend next { .host = "127.0.0.1"; .port = "8082"; }

sub vcl_init {
    new releases = canary.split();
    releases.add("stable", 9);
    releases.add("next", 1);
}

sub vcl_recv {
    unset req.http.X-Release;
    let mut release = "stable";
    if (!canary.halted("/etc/vernis/no-canary")) {
        set release = releases.pick(client.identity) ?? "stable";
    }
    canary.mark(req.http.X-Release, release);
    if (release == "next") { set req.backend_hint = next; }
}

sub vcl_hash { hash_data(req.http.X-Release ?? ""); }
