#!/bin/sh
# try_package.sh DEB ROOT [SUITE]: installs the package on a bare Debian with systemd as init, and does with it what an
# operator does. ROOT is the folder of the system.
set -eu
# shellcheck source=mk/booted.sh
. "$(dirname "$0")/booted.sh"
# shellcheck disable=SC2119    # no more packages
make_root
boot

# ---- the package -------------------------------------------------------------------------------------------------------------

inside apt-get -q install -y --no-install-recommends /root/vernis.deb >>"$log" 2>&1 || fail "the package is not installed"
inside systemctl is-active --quiet vernis || fail "vernis.service is not active after the installation"
passed "apt-get install starts the service"

inside sh -c 'cd /srv/www && exec setsid python3 -m http.server 8080 --bind 127.0.0.1 >/dev/null 2>&1 &'
answer() { inside curl -s -o /dev/null -D - http://127.0.0.1:6081/; }
wait_for 20 "the origin does not answer" inside curl -s -f http://127.0.0.1:8080/
wait_for 20 "no response from the origin" inside curl -s -f http://127.0.0.1:6081/
is_hit() { answer | grep -q '^X-Varnish: [0-9]* [0-9]'; }
is_hit || fail "the second request is no hit"
passed "the second request is a hit"

inside systemctl enable --quiet --now vernislog
inside systemctl reload vernis || fail "systemctl reload"
inside vernis list | grep -q '^active.* reload_' || fail "no reloaded policy is active"
is_hit || fail "the cache is empty after a reload"
passed "systemctl reload loads the policy, and the cache stays"

echo 'sub vcl_recv { set req.http.x = nonsense; }' >>"$root/etc/vernis/default.vcl"
! inside systemctl reload vernis 2>>"$log" || fail "a wrong policy is reloaded"
inside journalctl -u vernis | grep -q 'V302.*nonsense' || fail "the journal does not tell the error"
is_hit || fail "no hit after a wrong policy"
sed -i '$d' "$root/etc/vernis/default.vcl"
passed "a wrong policy fails the reload, is in the journal, and changes nothing"

wait_for 20 "no line in the log" test -s "$root/var/log/vernis/access.log"
inside logrotate -f /etc/logrotate.d/vernis || fail "logrotate"
test -s "$root/var/log/vernis/access.log.1" || fail "the log is not rotated"
passed "vernislog writes, logrotate rotates"

inside systemctl kill --signal=KILL vernis
wait_for 20 "the service is not started again" inside curl -s -f http://127.0.0.1:6081/
passed "systemd starts a killed service again"

inside systemctl stop vernis
[ "$(inside systemctl show -p Result --value vernis)" = success ] || fail "systemctl stop"
inside apt-get -q purge -y vernis >>"$log" 2>&1 || fail "apt-get purge"
[ ! -e "$root/etc/vernis" ] || fail "purge leaves /etc/vernis"
passed "stop and purge"
