#!/bin/sh
# install-packages.sh [-f WHAT] PACKAGE...: prints and installs the missing Debian packages. WHAT names the purpose in
# messages. Does nothing if all packages exist. Needs root, or sudo (without a password if there is no terminal).
set -eu
what=vernis
if [ "$1" = -f ]; then
    what=$2
    shift 2
fi

missing=
for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "$what needs these packages of Debian 12:$missing" >&2
    echo "apt-get is missing. Install your system's counterparts and set SKIP_PACKAGES=1." >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null; then
    as_root=sudo
else
    echo "$what needs these Debian packages:$missing" >&2
    echo "This user is not root, and sudo is missing. As root: apt-get install$missing" >&2
    exit 1
fi

echo "$what: installing Debian packages with apt-get:$missing"
apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# policy-rc.d keeps Debian from starting the services of installed packages (nginx, varnish). Removed afterwards.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' | $as_root tee $policy >/dev/null
    $as_root chmod 755 $policy
    trap 'rm -f "$log"; $as_root rm -f $policy' EXIT
fi
# shellcheck disable=SC2086    # $missing is a list of words
if ! apt update >"$log" 2>&1 || ! apt install -y --no-install-recommends $missing >>"$log" 2>&1; then
    cat "$log" >&2
    echo "$what: apt-get failed; its output is above" >&2
    exit 1
fi
