#!/bin/sh
# Functions for scripts that try the package on a bare Debian with systemd as init: mk/try_package.sh and
# mk/try_beside.sh. Their arguments are DEB ROOT [SUITE]. They call make_root, boot and inside.
# The system runs in namespaces of its own, without a network: only `root` and a control group are touched. Needs root,
# mmdebstrap and util-linux.
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

# Makes the system, with these packages, the origin's page and the package of Vernis with all that it needs in apt's cache.
make_root() { # PACKAGE...
    more=$(printf '%s,' "$@")
    rm -rf "$root"
    mkdir -p "$(dirname "$root")"
    # A step that fails here ends the script (set -e): then what it said is all there is.
    trap 'tail -8 "$log" >&2; echo "FAILED: $suite with $deb; see $log. A package installs on the release that it was built on" >&2' EXIT
    mmdebstrap --quiet --variant=minbase --include="${more#,}systemd,systemd-sysv,dbus,curl,python3,logrotate,ca-certificates" "$suite" "$root" </dev/null
    printf '127.0.0.1 localhost\n::1 localhost\n' >"$root/etc/hosts"
    mkdir -p "$root/srv/www"
    echo hello >"$root/srv/www/index.html"
    cp "$deb" "$root/root/vernis.deb"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    chroot "$root" apt-get -q update >"$log" 2>&1
    chroot "$root" apt-get -q install -y --no-install-recommends --download-only /root/vernis.deb >>"$log" 2>&1
    trap - EXIT
}

# Starts the system.
boot() {
    groups=/sys/fs/cgroup/unified # of systems that also have version 1
    [ -d $groups ] || groups=/sys/fs/cgroup
    group=$groups/vernis-try-$$
    mkdir "$group"
    trap stop EXIT
    trap 'exit 1' INT TERM
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
}
