# The policy of vernis.service. Change the origin, then: systemctl reload vernis
# Before that, `vernis check /etc/vernis/default.vcl` reports all errors, and `vernis lint` more.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}
