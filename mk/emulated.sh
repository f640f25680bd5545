#!/bin/sh
# emulated.sh TARGET COMMAND...: runs a command with build/TARGET in the place of build/, where the kernel runs
# the target's programs by qemu. Both are true only for the command: it has its own mounts, and its own list of
# program formats (Linux 6.7). An older kernel uses the list of the system, which Debian's packages
# qemu-user-static and binfmt-support fill.
set -eu
target=$1
shift
if [ "${EMULATED:-}" != "$target" ]; then
    exec env EMULATED="$target" unshare --user --map-root-user --mount --pid --fork --kill-child \
        sh "$0" "$target" "$@"
fi

machine=${target%%-*}
formats=/proc/sys/fs/binfmt_misc
qemu=$(command -v "qemu-$machine-static")
# The first 20 bytes of a program for aarch64, little endian, and which of their bits count.
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
mount -t proc proc /proc
if mount -t binfmt_misc binfmt_misc $formats 2>/dev/null; then
    printf '%s\n' ":emulated:M::$magic:$mask:$qemu:F" > $formats/register
elif [ ! -e "$formats/qemu-$machine" ]; then
    echo "emulated.sh: Linux before 6.7 needs the package binfmt-support to run programs for $machine" >&2
    exit 1
fi
mount -t tmpfs tmpfs /tmp
mount --bind "build/$target" build
QEMU_LD_PREFIX=$PWD/build/root PATH=$PWD/build/tools:$PATH exec "$@"
