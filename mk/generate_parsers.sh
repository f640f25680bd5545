#!/bin/sh
# generate_parsers.sh ANTLR_JAR OUT: writes the Python and C++ parsers of grammar/*.g4 below OUT. The output has no
# paths and no dates, so it depends only on the grammar and the version of the tool.
set -eu
jar=$(realpath "$1")
mkdir -p "$2/python" "$2/cpp"
out=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp grammar/VclLexer.g4 grammar/VclParser.g4 "$work/"
cd "$work"
antlr() { java -cp "$jar" org.antlr.v4.Tool -no-listener -no-visitor -Werror -encoding UTF-8 "$@"; }
antlr -Dlanguage=Python3 -o python VclLexer.g4
antlr -Dlanguage=Python3 -o python -lib python VclParser.g4
antlr -Dlanguage=Cpp -package vernis -o cpp VclLexer.g4
antlr -Dlanguage=Cpp -package vernis -o cpp -lib cpp VclParser.g4
rm -f "$out"/python/Vcl*.py "$out"/cpp/Vcl*
# Newer Pythons lack typing.io.
for file in python/*.py cpp/*.h cpp/*.cpp; do
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
