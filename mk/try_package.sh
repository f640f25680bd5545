#!/bin/sh
# try_package.sh DEB ROOT [SUITE]: installs the package on a bare Debian with systemd as init, and does with it what an
# operator does. Makes the system in ROOT and starts it in namespaces of its own, without a network: only ROOT and a
# control group are touched. Needs root, mmdebstrap and util-linux.
set -eu
deb=$1
root=$2
suite=${3:-$(sed -n s/^VERSION_CODENAME=//p /etc/os-release)}
log=$root.log
outer=
init=

fail() {
    echo "FAILED: $*; see $log and $root" >&2
    exit 1
}
stop() {
    [ -z "$outer" ] || kill -KILL "$outer" 2>/dev/null || true # its child, the first process of the namespace, ends with it
    tries=50
    while grep -q 'populated 1' "$group/cgroup.events" && [ $tries -gt 0 ]; do
        sleep 0.2
        tries=$((tries - 1))
    done
    find "$group" -depth -type d -exec rmdir {} \;
}
# Runs a command in the started system.
inside() { nsenter --target "$init" --all env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
passed() { echo "passed: $*"; }
wait_for() { # SECONDS WHAT COMMAND...
    seconds=$1
    what=$2
    shift 2
    while ! "$@" >/dev/null 2>&1; do
        seconds=$((seconds - 1))
        [ $seconds -gt 0 ] || fail "$what"
        sleep 1
    done
}

# ---- the system --------------------------------------------------------------------------------------------------------------

rm -rf "$root"
mkdir -p "$(dirname "$root")"
mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,dbus,curl,python3,logrotate,ca-certificates "$suite" "$root" </dev/null
printf '127.0.0.1 localhost\n::1 localhost\n' >"$root/etc/hosts"
mkdir -p "$root/srv/www"
echo hello >"$root/srv/www/index.html"
cp "$deb" "$root/root/vernis.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"
chroot "$root" apt-get -q update >"$log" 2>&1
chroot "$root" apt-get -q install -y --no-install-recommends --download-only /root/vernis.deb >>"$log" 2>&1

# ---- its start ---------------------------------------------------------------------------------------------------------------

groups=/sys/fs/cgroup/unified # of systems that also have version 1
[ -d $groups ] || groups=/sys/fs/cgroup
group=$groups/vernis-try-$$
mkdir "$group"
trap stop EXIT
# shellcheck disable=SC2016    # the inner shell expands
sh -c 'echo $$ >"$0/cgroup.procs"; exec unshare --pid --fork --kill-child --mount --uts --ipc --cgroup --net sh -eu -c "$1" sh "$2"' "$group" '
    cd "$1"
    mount --make-rprivate /
    mount --bind . .
    cd "$1"
    mount -t proc proc proc
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    mount -t tmpfs -o mode=755 tmpfs run
    mount -t tmpfs tmpfs tmp
    mount -t tmpfs -o mode=755 tmpfs dev
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
    mount -t tmpfs tmpfs dev/shm
    for device in null zero full random urandom tty; do
        touch dev/$device
        mount --bind /dev/$device dev/$device
    done
    ln -s pts/ptmx dev/ptmx
    ip link set lo up
    pivot_root . mnt
    exec chroot . sh -c "umount -l /mnt; exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /sbin/init systemd.unified_cgroup_hierarchy=1"
' "$root" </dev/null >>"$log" 2>&1 &
outer=$!
wait_for 10 "no first process" grep -q . "/proc/$outer/task/$outer/children"
init=$(tr -d ' ' <"/proc/$outer/task/$outer/children")
wait_for 60 "systemd does not start" inside sh -c 'systemctl is-system-running | grep -E "running|degraded"'
passed "$(inside systemctl --version | head -1), $suite"

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
