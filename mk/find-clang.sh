#!/bin/sh
# Prints the clang that compiles the helpers of policies: the oldest in PATH from CLANG_OLDEST to CLANG_NEWEST, because
# LLVM reads bitcode of older versions and not of newer ones. Exits with 1 if there is none. CLANG_NEWEST is the LLVM of
# the oldest llvmlite that pyproject.toml allows.
CLANG_OLDEST=14
CLANG_NEWEST=20

version=$CLANG_OLDEST
while [ "$version" -le $CLANG_NEWEST ]; do
    if command -v "clang-$version" >/dev/null; then
        echo "clang-$version"
        exit 0
    fi
    version=$((version + 1))
done
found=$(clang --version 2>/dev/null | sed -n 's/.*clang version \([0-9]*\)\..*/\1/p')
if [ -n "$found" ] && [ "$found" -ge $CLANG_OLDEST ] && [ "$found" -le $CLANG_NEWEST ]; then
    echo clang
    exit 0
fi
echo "no clang from $CLANG_OLDEST to $CLANG_NEWEST in PATH${found:+; clang is $found}" >&2
exit 1
