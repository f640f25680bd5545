# The parsers generated from grammar/*.g4 (committed, so that only who changes the grammar needs Java), and the C++
# parser extension. Debian's libantlr4-runtime is 4.9: the 4.9.1 tool matches it, Debian's own antlr4 package is older.

ANTLR_VERSION := 4.9.1
ANTLR_JAR     := build/antlr/antlr4-$(ANTLR_VERSION)-complete.jar
GRAMMARS      := grammar/VclLexer.g4 grammar/VclParser.g4
GENERATED     := compiler/syntax/generated
EXT_DIR       := build/ext
EXT_PYTHON    := build/venv/bin/python

.PHONY: grammar parser-extension

$(ANTLR_JAR):
	@command -v mvn >/dev/null || { echo "make grammar needs Java and Maven: apt-get install maven default-jre-headless"; exit 1; }
	@echo "grammar: fetching the antlr4 $(ANTLR_VERSION) tool"
	mvn -q -B dependency:copy -Dartifact=org.antlr:antlr4:$(ANTLR_VERSION):jar:complete -DoutputDirectory=$(abspath $(@D))

# GRAMMAR_OUT: where to write; a test regenerates into a directory of its own and compares.
GRAMMAR_OUT ?= $(GENERATED)

grammar: $(ANTLR_JAR)
	sh mk/generate_parsers.sh $(ANTLR_JAR) $(GRAMMAR_OUT)

# The extension is built in place by the same list of sources setup.py uses (compiler/syntax/ext/build_info.py).
parser-extension: $(EXT_DIR)/.built

$(EXT_DIR)/.built: $(wildcard compiler/syntax/ext/*.cpp compiler/syntax/ext/*.h compiler/syntax/ext/build_info.py \
                   compiler/syntax/generated/cpp/*)
	@mkdir -p $(EXT_DIR)
	$(EXT_PYTHON) compiler/syntax/ext/build_info.py $(EXT_DIR)
	@touch $@
