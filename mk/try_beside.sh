#!/bin/sh
# try_beside.sh DEB ROOT [SUITE]: installs the package on a Debian where Varnish serves, with varnishncsa, the exporter for
# Prometheus and hitch in front. Compares processes, files, units and sockets before and after, types the commands of
# docs/guides/beside-varnish.md, and compares again at the end. PYTHON runs the guide.
set -eu
# shellcheck source=mk/booted.sh
. "$(dirname "$0")/booted.sh"
state=$root.state
page=docs/guides/beside-varnish.md

# Types one section of the guide.
guide() {
    PYTHONPATH=tests "$PYTHON" -m proxy.guides $page "$1" "$root/root/guide" nsenter --target "$init" --all env -i \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -c 'cd /root/guide && exec bash'
}

# Writes what the machine is to $state/NAME.WHAT, one line each.
snapshot() { # NAME
    inside ps -eo pid,user,lstart,cgroup,args | grep 'system\.slice' | sort >"$state/$1.processes"
    # systemd numbers its descriptors anew when it reads the units again
    inside ss -Hlntuxp | sed 's/  *$//; s/("systemd",pid=1,fd=[0-9]*)/systemd/g' | sort >"$state/$1.sockets"
    {
        inside systemctl list-unit-files --no-legend --plain | sed 's/  */ /g'
        inside systemctl list-units --all --no-legend --plain --full --type service,socket,timer,path | awk '{ print $1, $2, $3, $4 }'
    } | sort >"$state/$1.units"
    inside find /var/lib/varnish /var/log/varnish -printf '%p %y %m %u %g %i\n' | sort >"$state/$1.varnish"
    {
        inside find /etc /usr -printf '%p %y %m %u %g %l\n'
        inside find /etc /usr -type f -exec sha256sum {} + | sed 's/^\([0-9a-f]*\)  \(.*\)/\2 \1/'
    } | sort >"$state/$1.files"
}

same() { # BEFORE AFTER WHAT: no line is gone, changed or new, but for those of Vernis
    diff "$state/$1.$3" "$state/$2.$3" | grep '^[<>]' | grep -v '^> vernis' >"$state/difference" || return 0
    cat "$state/difference" >&2
    fail "the $3 differ ($1, $2)"
}

# Files that packages share, and that the user of the package changes.
shared='^/etc/(passwd|group|shadow|gshadow|subuid|subgid)-? |^/etc/ld\.so\.cache '
same_files() { # BEFORE AFTER
    comm -23 "$state/$1.files" "$state/$2.files" | grep -vE "$shared" >"$state/difference" &&
        { cat "$state/difference" >&2; fail "files have changed ($1, $2)"; }
    comm -13 "$state/$1.files" "$state/$2.files" | grep -E '^/etc/systemd/|varnish|hitch' | grep -vE '/vernis/|/vernis\.service\.d' >"$state/difference" &&
        { cat "$state/difference" >&2; fail "there are new files ($1, $2)"; }
    return 0
}

# This program serves, over hitch, too, varnishncsa logs its requests, and the exporter counts them.
serves() { # PROGRAM
    for url in http://127.0.0.1:6081 https://127.0.0.1; do
        wait_for 20 "no response from $url" inside curl -sfk "$url/"
    done
    inside ss -Hltnp 'sport = :6081' | grep -q "\"$1\"" || fail "$1 does not listen on port 6081"
    mark=/mark-$1-$(date +%s%N)
    inside curl -s -o /dev/null "http://127.0.0.1:6081$mark"
    wait_for 20 "varnishncsa logs nothing of $1" grep -q "$mark" "$root/var/log/varnish/varnishncsa.log"
    wait_for 20 "the exporter shows no requests of $1" counts
}
counts() { inside curl -s http://127.0.0.1:9131/metrics | grep -E '^varnish_main_client_req(_total)? [1-9]'; }

# ---- Varnish and its companions ----------------------------------------------------------------------------------------------

make_root varnish hitch prometheus-varnish-exporter procps iproute2
mkdir -p "$root/etc/systemd/system/varnish.service.d" "$root/root/guide" "$state"
cp "$deb" "$root/root/guide/"
cat >"$root/etc/systemd/system/varnish.service.d/options.conf" <<'END'
[Service]
ExecStart=
ExecStart=/usr/sbin/varnishd -j unix,user=vcache -F -a :6081 -a 127.0.0.1:6086,PROXY -T localhost:6082 -f /etc/varnish/default.vcl -S /etc/varnish/secret -s malloc,256m
END
cat >"$root/etc/systemd/system/origin.service" <<'END'
[Service]
WorkingDirectory=/srv/www
ExecStart=/usr/bin/python3 -m http.server 8080 --bind 127.0.0.1

[Install]
WantedBy=multi-user.target
END
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=127.0.0.1 \
    -keyout "$root/etc/hitch/key.pem" -out "$root/etc/hitch/cert.pem" 2>"$state/certificate"
cat "$root/etc/hitch/cert.pem" "$root/etc/hitch/key.pem" >"$root/etc/hitch/site.pem"
cat >"$root/etc/hitch/hitch.conf" <<'END'
frontend = "[127.0.0.1]:443"
backend = "[127.0.0.1]:6086"
pem-file = "/etc/hitch/site.pem"
user = "_hitch"
group = "_hitch"
write-proxy-v2 = on
alpn-protos = "http/1.1"
END
# The exporter of Debian 13 leaves its user to the package prometheus.
chroot "$root" sh -c 'id prometheus >/dev/null 2>&1 || useradd --system prometheus'
chroot "$root" systemctl --quiet enable origin varnish varnishncsa prometheus-varnish-exporter hitch 2>>"$log" # it warns of a missing /proc
boot
wait_for 60 "Varnish does not serve" inside curl -sf http://127.0.0.1:6081/
serves varnishd
passed "Varnish serves: $(inside varnishd -V 2>&1 | head -1), $(inside hitch --version)"

# ---- install -----------------------------------------------------------------------------------------------------------------

snapshot before
guide Install
snapshot installed
for what in processes sockets units varnish; do same before installed $what; done
same_files before installed
[ "$(inside systemctl is-enabled vernis)" = disabled ] || fail "the package enables its service"
passed "the installation changes no process, socket, unit or file of Varnish"
inside systemctl restart varnishncsa || fail "varnishncsa does not start again"

inside timeout 5 vernisd -F -j none -a 127.0.0.1:0 -T none -b none >>"$log" 2>&1 || true
inside vernisd -F -j none -a 127.0.0.1:0 -T none -b none -n /var/lib/varnish/varnishd 2>&1 | grep -q "is in use by varnishd" ||
    fail "the work directory of Varnish is not refused"
snapshot tried
same installed tried varnish
serves varnishd
passed "vernisd without -n, and one with -n of Varnish, leave Varnish alone"

# ---- try, switch, go back ----------------------------------------------------------------------------------------------------

guide "Look before"
guide "Try it on another port"
snapshot tried
same installed tried varnish
serves varnishd
guide Switch
serves vernisd
[ "$(inside systemctl is-enabled varnish vernis | tr '\n' ' ')" = "disabled enabled " ] || fail "another service starts with the machine"
guide "Go back"
serves varnishd
inside apt-get -q purge -y vernis >>"$log" 2>&1 || fail "apt-get purge"
inside rm -r /etc/systemd/system/vernis.service.d
inside systemctl daemon-reload
snapshot after
same before after units
same_files before after
for name in before after; do # each Varnish gives its shared memory other names
    cut -d' ' -f1-5 "$state/$name.varnish" | grep -v /vcl_boot | sed 's/\.[0-9a-f]\{16\} / /' | sort -u >"$state/$name.owners"
done
same before after owners
[ ! -e "$root/var/lib/vernis" ] || fail "purge leaves /var/lib/vernis"
passed "after the way back and a purge the machine is as before"
