# The parsers generated from grammar/*.g4 (committed, so that only a change of the grammar needs Java), and the
# C++ parser extension. The tool's version is that of the pinned runtime for Python. Debian's own antlr4 package is
# older.

ANTLR_VERSION := 4.9.1
ANTLR_SHA256  := 1f645aea79b98e6ff7ec8f6bf7ea82b58cfc60a194cda2a3b1e753589d41f98d
ANTLR_JAR     := build/antlr/antlr4-$(ANTLR_VERSION)-complete.jar
GENERATED     := compiler/syntax/generated
EXT_DIR       := build/ext
EXT_PYTHON    := build/venv/bin/python

.PHONY: grammar parser-extension test-antlr

$(ANTLR_JAR):
	@$(if $(SKIP_PACKAGES),,command -v mvn >/dev/null || sh mk/install-packages.sh -f "make grammar" default-jre-headless maven)
	@echo "grammar: fetching the antlr4 $(ANTLR_VERSION) tool"
	@mvn -q -B -Dstyle.color=never dependency:copy -Dartifact=org.antlr:antlr4:$(ANTLR_VERSION):jar:complete -DoutputDirectory=$(abspath $(@D))
	@echo "$(ANTLR_SHA256)  $@" | sha256sum --check --quiet || { rm -f $@; exit 1; }

# GRAMMAR_OUT: the output directory. A test regenerates into its own directory and compares.
GRAMMAR_OUT ?= $(GENERATED)

grammar: $(ANTLR_JAR)
	@$(if $(SKIP_PACKAGES),,command -v java >/dev/null || sh mk/install-packages.sh -f "make grammar" default-jre-headless)
	@sh mk/generate_parsers.sh $(ANTLR_JAR) $(GRAMMAR_OUT)
	@echo "grammar: wrote $(GRAMMAR_OUT)"

# Builds the extension in place, from the list of sources that setup.py also uses
# (compiler/syntax/ext/build_info.py).
parser-extension: $(EXT_DIR)/.built $(EXT_DIR)/_vclvocabulary.py

# Without a runtime of ANTLR there is no extension, and each build searches again.
$(EXT_DIR)/.built: $(wildcard compiler/syntax/ext/*.cpp compiler/syntax/ext/*.h compiler/syntax/ext/*.py \
                   compiler/syntax/generated/cpp/*)
	@mkdir -p $(EXT_DIR)
	$(EXT_PYTHON) -B compiler/syntax/ext/build_info.py $(EXT_DIR)
	@test ! -e "$$(ls $(EXT_DIR)/_vclparser*.so 2>/dev/null)" || touch $@

# The table of the language as a Python module, which loads in a fraction of the time of TOML.
$(EXT_DIR)/_vclvocabulary.py: grammar/vocabulary.toml compiler/semantics/frozen.py $(EXT_DIR)/.built
	@$(EXT_PYTHON) -P compiler/semantics/frozen.py $< $@

# The parser with another runtime of ANTLR than the build's: the pinned source, or ANTLR_RUNTIME=PREFIX.
ANTLR_TEST := build/antlr-test
test-antlr: build $(B)/venv/.requirements-test
	@ANTLR_RUNTIME=$(or $(ANTLR_RUNTIME),source) $(EXT_PYTHON) -B compiler/syntax/ext/build_info.py $(ANTLR_TEST)
	@$(VENV_PYTHON) -m pytest -o pythonpath='build/py $(ANTLR_TEST) build/ext tests' $(PYTEST_ARGS) tests/compiler/syntax
