#!/bin/sh
# install-packages.sh [-f WHAT] PACKAGE...: prints and installs the missing Debian packages. WHAT names the purpose in
# messages. Does nothing if all packages exist. Needs root, or sudo (without a password if there is no terminal). A
# PACKAGE with a question mark at its end is left out where the distribution has none of this name: Ubuntu has no package
# chromium, and the tests that need it are skipped. A terminal shows how far apt-get is.
set -eu
what=vernis
if [ "$1" = -f ]; then
    what=$2
    shift 2
fi

missing=
optional=
for package in "$@"; do
    name=${package%\?}
    state=$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null || true)
    [ "$state" = installed ] && continue
    if [ "$name" = "$package" ]; then missing="$missing $name"; else optional="$optional $name"; fi
done
[ -n "$missing$optional" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "$what needs these packages of Debian:$missing$optional" >&2
    echo "apt-get is missing. Install your system's counterparts and set SKIP_PACKAGES=1." >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null; then
    as_root=sudo
elif [ -z "$missing" ]; then
    echo "$what: going on without these packages:$optional"
    exit 0
else
    echo "$what needs these Debian packages:$missing" >&2
    echo "This user is not root, and sudo is missing. As root: apt-get install$missing" >&2
    exit 1
fi

# apt-get's output goes to the log, except its lines of status, "kind:package:percent:text": sudo closes all other
# descriptors, so they come with the output. The failure passes the pipe as a last line, because a pipe has the status of
# its last command. A shell reads at once what arrives; some awks wait for more.
apt() {
    {
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o APT::Status-Fd=1 "$@" 2>&1 || echo apt-failed:
    } | {
        result=0
        while IFS= read -r line; do
            case $line in
                dlstatus:*) show downloading "${line#*:*:}" ;;
                pmstatus:*) show installing "${line#*:*:}" ;;
                apt-failed:) result=1 ;;
                *) echo "$line" >>"$log" ;;
            esac
        done
        [ ! -t 1 ] || printf '\r\033[K'
        return $result
    }
}
show() { [ ! -t 1 ] || printf '\r\033[K%s: %s, %s %%' "$what" "$1" "${2%%[.:]*}"; }
failed() {
    cat "$log" >&2
    echo "$what: apt-get failed; its output is above" >&2
    exit 1
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# policy-rc.d keeps Debian from starting the services of installed packages (nginx, varnish). Removed afterwards.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' | $as_root tee $policy >/dev/null
    $as_root chmod 755 $policy
    trap 'rm -f "$log"; $as_root rm -f $policy' EXIT
fi
[ -z "$missing" ] || echo "$what: installing Debian packages with apt-get, which may take minutes:$missing"
apt update || failed
known=
for name in $optional; do
    if apt-cache show "$name" >/dev/null 2>&1; then known="$known $name"; else echo "$what: no package $name here; going on without it"; fi
done
[ -z "$known" ] || echo "$what: installing Debian packages with apt-get, which may take minutes:$known"
[ -n "$missing$known" ] || exit 0
# shellcheck disable=SC2086    # lists of words
apt install -y --no-install-recommends $missing $known || failed
