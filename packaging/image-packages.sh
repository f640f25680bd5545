#!/bin/sh
# image-packages.sh DIR: prints the packages that the programs below DIR need: those of their shared libraries,
# and Python.
set -eu
find "$1" -type f \( -path '*/bin/*' -o -name '*.so' \) | while read -r file; do
    ldd "$file" 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p'
done | sort -u | while read -r library; do
    # ldd names a library in /lib or in /usr/lib, which are one folder; its package knows one of the two.
    dpkg-query -S "/usr${library#/usr}" 2>/dev/null || dpkg-query -S "${library#/usr}" || exit 1
done | sed 's/:.*//' | sort -u
echo python3
