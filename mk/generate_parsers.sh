#!/bin/sh
# generate_parsers.sh JAR_4.9 JAR_4.10 OUT: writes the Python and C++ parsers of grammar/*.g4 below OUT. The jars are
# ANTLR's tools: the first writes Python and C++ for the runtimes 4.9, the second C++ for 4.10 and later. The output has
# no paths and no dates, so it depends only on the grammar and the versions of the tools.
set -eu
old=$(realpath "$1")
new=$(realpath "$2")
mkdir -p "$3/python" "$3/cpp-4.9" "$3/cpp-4.10"
out=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp grammar/VclLexer.g4 grammar/VclParser.g4 "$work/"
cd "$work"
antlr() { # JAR FOLDER OPTION...
    jar=$1
    folder=$2
    shift 2
    for grammar in VclLexer VclParser; do
        java -cp "$jar" org.antlr.v4.Tool -no-listener -no-visitor -Werror -encoding UTF-8 "$@" -o "$folder" -lib "$folder" \
            $grammar.g4
    done
}
mkdir python cpp-4.9 cpp-4.10
antlr "$old" python -Dlanguage=Python3
antlr "$old" cpp-4.9 -Dlanguage=Cpp -package vernis
antlr "$new" cpp-4.10 -Dlanguage=Cpp -package vernis
rm -f "$out"/python/Vcl*.py "$out"/cpp-*/Vcl*
# Newer Pythons lack typing.io.
for file in python/*.py cpp-*/*.h cpp-*/*.cpp; do
    sed -e 's/[[:space:]]*$//' -e 's/^from typing\.io import/from typing import/' "$file" > "$out/$file"
done

# Numbers of tokens and rules, for code that runs without the parser.
{
    # shellcheck disable=SC2016    # backticks of reStructuredText
    echo '"""Numbers of tokens (``T``) and rules (``R``). Generated from grammar/*.g4 by mk/generate_parsers.sh."""'
    printf '\n\nclass T:\n'
    sed -n 's/^\([A-Z_]*\)=\([0-9]*\)$/    \1 = \2/p' python/VclLexer.tokens
    printf '\n\nclass R:\n'
    sed -n 's/^    RULE_\([A-Za-z]*\) = \([0-9]*\)$/    \1 = \2/p' python/VclParser.py
    printf '\n\nRULE_NAMES = (\n'
    sed -n 's/^    RULE_\([A-Za-z]*\) = [0-9]*$/    "\1",/p' python/VclParser.py
    echo ')'
} > "$out/token_types.py"
