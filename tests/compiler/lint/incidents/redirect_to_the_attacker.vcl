# https://www.fastly.com/security-advisories/fastly-security-advisory-cache-poisoning-vulnerability-leveraging-x-forwarded-host-header
# A redirect was stored with the host that one client had sent.

sub vcl_backend_response {
    if (beresp.status == 301) {
        set beresp.http.Location = "https://" + bereq.http.X-Forwarded-Host + "/"; #! SEC007
    }
}
