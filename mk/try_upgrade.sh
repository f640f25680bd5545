#!/bin/sh
# try_upgrade.sh DEB ROOT [SUITE]: upgrades the package under load, on a bare Debian with systemd as init: to a newer
# version, to one whose daemon does not start, and back. No request may be lost. ROOT is the folder of the system; PYTHON
# is the interpreter of the build, for the clients.
set -eu
# shellcheck source=mk/booted.sh
. "$(dirname "$0")/booted.sh"
# shellcheck disable=SC2119    # no more packages
make_root

# The package with another version. $2 changes its files, from inside their folder.
repack() { # VERSION COMMAND
    dpkg-deb -R "$deb" "$root.package"
    sed -i "s/^Version: .*/Version: $1/" "$root.package/DEBIAN/control"
    (cd "$root.package" && eval "$2")
    dpkg-deb -Znone -b "$root.package" "$root/root/vernis-$1.deb" >>"$log"
    rm -r "$root.package"
}
old=$(dpkg-deb -f "$deb" Version)
repack 99.1 true
# shellcheck disable=SC2016    # the file's text
repack 99.2 'printf "#!/bin/sh\necho broken >&2\nexit 1\n" >usr/bin/vernisd'
boot

inside apt-get -q install -y --no-install-recommends /root/vernis.deb >>"$log" 2>&1 || fail "the package is not installed"
inside sh -c 'cd /srv/www && exec setsid python3 -m http.server 8080 --bind 127.0.0.1 >/dev/null 2>&1 &'
wait_for 20 "no response from the origin" inside curl -s -f http://127.0.0.1:6081/
inside systemctl enable --quiet --now vernislog
inside vernis params default_ttl 77 >>"$log"
inside vernis admin backend.set_health default healthy >>"$log"

main() { inside systemctl show -p MainPID --value vernis; }
program() { inside readlink "/proc/$(main)/exe"; }
# Clients ask all the time; `load_ends` fails if one of their requests had no whole response.
load_begins() {
    nsenter --target "$init" --net env PYTHONPATH=tests "$PYTHON" -m proxy.upgrade_load 6081 >"$root.clients" 2>&1 &
    clients=$!
    wait_for 60 "the clients get no answers" grep -q answers "$root.clients"
}
load_ends() {
    kill -TERM $clients
    wait $clients || fail "requests are lost: $(cat "$root.clients")"
    passed "$1: $(tail -1 "$root.clients")"
}
install() { inside dpkg -i "/root/$1" >"$root.said" 2>&1 || fail "dpkg -i $1: $(cat "$root.said")"; }
says() { grep -q "$1" "$root.said" || fail "dpkg -i does not say: $1"; }

before=$(main)
load_begins
install vernis-99.1.deb
load_ends "an upgrade under load loses no request"
says 'has taken over from'
says 'Kept: parameters: default_ttl; backends set by hand: default healthy'
says 'Dropped: stored responses: [1-9]'
[ "$(main)" != "$before" ] || fail "the old process serves"
[ "$(program)" = /usr/bin/vernisd ] || fail "the process runs $(program)"
inside systemctl is-active --quiet vernis vernislog || fail "a service does not run after the upgrade"
inside journalctl -u vernis | grep -q 'Dropped: stored responses' || fail "the journal does not tell what was dropped"
logged() { # a request that the log's reader shows; it looks for a new daemon from time to time
    inside curl -s -o /dev/null http://127.0.0.1:6081/after
    grep -q /after "$root/var/log/vernis/access.log"
}
wait_for 20 "vernislog does not follow the new daemon" logged
inside systemctl reload vernis || fail "systemctl reload after the upgrade"
passed "the new daemon has the settings, the journal and dpkg tell what it has not, and the log goes on"

before=$(main)
load_begins
install vernis-99.2.deb
load_ends "a new version that does not start loses no request"
says 'The new daemon did not start; this one goes on'
says "vernis.service still runs the old version (process $before)"
[ "$(main)" = "$before" ] || fail "the service has another process"
inside systemctl is-active --quiet vernis || fail "the service does not run"
passed "the old daemon goes on if the new one does not start, and dpkg says so"

load_begins
install vernis.deb
load_ends "a downgrade under load loses no request"
says 'has taken over from'
[ "$(program)" = /usr/bin/vernisd ] || fail "the process runs $(program)"
# shellcheck disable=SC2016    # dpkg-query expands
[ "$(inside dpkg-query -W -f '${Version}' vernis)" = "$old" ] || fail "not the old version"
passed "a downgrade hands over, too"

inside systemctl stop vernis
install vernis-99.1.deb
! grep -q -e 'still runs' -e 'has taken over' "$root.said" || fail "dpkg speaks of a daemon that does not run"
inside dpkg -r vernis >>"$log" 2>&1
! inside systemctl is-active --quiet vernis vernislog || fail "a service runs without its package"
passed "an upgrade without a daemon, and the removal"
