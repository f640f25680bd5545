# The build contract: packages, the virtual environment, `build/bin/vernis`, and the targets build, run and
# test. SKIP_PACKAGES=1 skips the check and installation of Debian's packages. (Without it dpkg-query checks
# them; nothing is installed if all exist.) ANTLR_RUNTIME=PREFIX takes another runtime of ANTLR than Debian's, and
# ANTLR_RUNTIME=source builds one (compiler/syntax/ext/antlr_runtime.py).

PACKAGES_BUILD := build-essential pkg-config binutils $(shell sh mk/find-clang.sh >/dev/null 2>&1 || echo clang) python3 python3-dev python3-venv \
                  $(if $(ANTLR_RUNTIME),,libantlr4-runtime-dev) libboost-context-dev libpcre2-dev libjemalloc-dev libxxhash-dev libssl-dev \
                  libjansson-dev libmicrohttpd-dev libmaxminddb-dev libcrypt-dev libseccomp-dev zlib1g-dev libdeflate-dev libisal-dev \
                  libbrotli-dev libzstd-dev
PACKAGES_TEST  := nginx wrk curl openssl varnish haproxy hitch logrotate prometheus-varnish-exporter nghttp2-client procps strace zsh fish netbase \
                  uacme 'pebble?' 'chromium?' 'chromium-driver?'

VENV        := $(B)/venv
VENV_PYTHON := $(VENV)/bin/python
JOBS        ?= $(shell nproc)
INSTALL      = $(if $(SKIP_PACKAGES),@true,@sh mk/install-packages.sh)
# On a terminal pip shows what it does; a log gets only its errors.
PIP_INSTALL := $(VENV_PYTHON) -m pip --disable-pip-version-check install $$([ -t 1 ] || echo -q)

.PHONY: packages-build packages-test artefacts test-tools

packages-build:
	$(INSTALL) -f 'make build' $(PACKAGES_BUILD)

packages-test:
	$(INSTALL) -f 'make test' $(PACKAGES_TEST)

# Packages first, then everything else in a second make, because only then compilers and headers exist. The
# second make also builds files named beside `build`, and goals run one after the other: two makes at once
# would build the same files.
build: packages-build
	@$(MAKE) --no-print-directory -j$(JOBS) artefacts $(filter $(B)/%,$(MAKECMDGOALS))
	@echo 'make build: build/bin/vernis, build/bin/vernisd and build/lib/libvernisrt.so are ready'

ifneq ($(word 2,$(MAKECMDGOALS)),)
ifneq ($(filter-out $(B)/% artefacts,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif
endif

artefacts: venv $(B)/bin/vernis parser-extension $(B)/.bytecode daemon runtime-lib man

venv: $(VENV)/.requirements $(B)/py/vernis

$(VENV)/.created:
	@echo '  VENV $(VENV) ($(PYTHON))'
	@test -x $(VENV_PYTHON) || $(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.requirements: requirements.txt requirements-build.txt $(VENV)/.created
	@echo '  PIP $<'
	@$(PIP_INSTALL) -r requirements-build.txt
	@$(PIP_INSTALL) --no-build-isolation -r $<
	@touch $@

$(VENV)/.requirements-test: requirements-test.txt $(VENV)/.requirements
	@echo '  PIP $<'
	@$(PIP_INSTALL) --no-build-isolation -r $<
	@touch $@

$(B)/py/vernis:
	@mkdir -p $(@D)
	@ln -sfn $(if $(SYSROOT),$(abspath compiler),../../compiler) $@

$(B)/bin/vernis: mk/launcher.sh
	@mkdir -p $(@D)
	@install -m 755 $< $@

# Versions and hashes of all Python packages of our own builds, also of those that others need. pyproject.toml
# and requirements-*.in have the direct ones. LOCK_ARGS=--upgrade takes the newest versions that they allow.
LOCK_PYTHON := $(B)/lock/bin/python
PIP_COMPILE := $(LOCK_PYTHON) -m piptools compile -q --generate-hashes --strip-extras --allow-unsafe --no-header \
               --annotation-style line --no-emit-index-url --no-emit-trusted-host --no-emit-find-links
LOCK_FILES  := requirements-build requirements-test requirements-check requirements-bench

define lock
	@echo '  LOCK $(1)'
	@$(PIP_COMPILE) $(LOCK_ARGS) $(3) -o $(1) $(2)
	@sed -i '1i # Made by `make lock` from $(2).' $(1)

endef

.PHONY: lock
lock:
	@test -x $(LOCK_PYTHON) || { $(PYTHON) -m venv $(B)/lock && $(LOCK_PYTHON) -m pip install -q pip-tools==7.6.2; }
	$(call lock,requirements.txt,pyproject.toml,--extra live)
	$(foreach file,$(LOCK_FILES),$(call lock,$(file).txt,$(file).in))

# Compiles the Python files now, because users may have no permission to write here, or may have disabled it
# in Python.
$(B)/.bytecode: $(shell find compiler -name '*.py') $(EXT_DIR)/_vclvocabulary.py
	@$(VENV_PYTHON) -m compileall -q compiler $(EXT_DIR)
	@touch $@

# The extension is built with the environment's Python.
$(EXT_DIR)/.built: | $(VENV)/.requirements $(B)/py/vernis

# Pages generated from tables in the sources, and the pictures; tests compare them.
.PHONY: docs
docs: build
	@PYTHONPATH=$(B)/py:$(B)/ext:mk $(VENV_PYTHON) -m pages
	@$(PYTHON) mk/pictures.py

run: build
	@$(B)/bin/vernis run $(RUN_ARGS)

# ---- tests ---------------------------------------------------------------------------------------------------------------
# C rooms under ASan and UBSan, code that threads share under TSan, then pytest, whose summary is the last
# line. One pytest for each processor takes the next file of a list with the slow files first.

UNIT_TSAN   := storage/memfd storage/budget body/body match/pattern_set match/pattern_openings match/pcre loop/mailbox loop/offload http/names log/counters log/tally log/ring cache/store_threads cache/second_form origin/wait origin/resolve stream/h2_threads
PYTEST_ARGS ?=

test-tools: packages-test build
	@$(MAKE) --no-print-directory check-tools $(VENV)/.requirements-test

test: build test-tools
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/asan/vernisd $(B)/tsan/vernisd $(B)/counting/vernisd
	@$(MAKE) --no-print-directory -j$(JOBS) -O unit-all
	$(VENV_PYTHON) -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

# Some tests of each file, and no build with sanitizers: tests/support/quick.py. QUICK is the time of a file in seconds.
QUICK ?= 2
.PHONY: test-quick
test-quick: build test-tools
	$(VENV_PYTHON) -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --quick $(QUICK) $(PYTEST_ARGS)

# Continuous integration: the tests that failed, once more and alone.
.PHONY: test-again
test-again:
	@$(VENV_PYTHON) mk/test_again.py $(PYTEST_ARGS)

.PHONY: unit-all
unit-all: $(patsubst tests/runtime/%.c,unit-asan/%,$(wildcard tests/runtime/*/test_*.c)) \
          $(foreach t,$(UNIT_TSAN),unit-tsan/$(dir $(t))test_$(notdir $(t)))

# The formatter on policies by other people: CORPUS is a folder with .vcl files. Fails at a fault, or if a result
# is not that of the ledger; LEDGER=update writes the ledger.
.PHONY: fmt-corpus
fmt-corpus: build
	@test -n "$(CORPUS)" || { echo 'usage: make fmt-corpus CORPUS=folder [LEDGER=update]'; exit 2; }
	@$(VENV_PYTHON) tests/compiler/format/corpus_run.py '$(CORPUS)' $(if $(filter update,$(LEDGER)),--update)

# Migrates policies by other people to vcl 5.0, compares their behaviour on random requests, and the results with a
# ledger. Fails if the ledger has another result, or a file that it does not have is different or refused.
# ONLY=fixed/name: the files whose path below the folder begins so.
.PHONY: migrate-corpus
migrate-corpus: build
	@test -n "$(CORPUS)" || { echo 'usage: make migrate-corpus CORPUS=folder [LEDGER=update] [ONLY=start] [REQUESTS=1000] [SEED=1]'; exit 2; }
	@$(VENV_PYTHON) tests/compiler/migrate/corpus_run.py '$(CORPUS)' --only '$(ONLY)' --requests $(or $(REQUESTS),1000) --seed $(or $(SEED),1) \
	    $(if $(filter update,$(LEDGER)),--update)

# Lints policies by other people with all rules. Fails if a finding has come or gone since the ledger;
# LEDGER=update writes the ledger.
.PHONY: lint-corpus
lint-corpus: build
	@test -n "$(CORPUS)" || { echo 'usage: make lint-corpus CORPUS=folders [PARTS=yes] [LEDGER=update | SEED=n]'; exit 2; }
	@$(VENV_PYTHON) tests/compiler/lint/corpus_lint.py $(CORPUS) $(if $(PARTS),--parts) $(if $(SEED),--seed $(SEED)) $(if $(filter update,$(LEDGER)),--update)

# Each fix of lint, and the decisions of the policy before and after on random requests; CORPUS: all fixes at once on the
# whole policies of the repositories in these folders.
.PHONY: compare-fixes
compare-fixes: build $(VENV)/.requirements-test
	@$(VENV_PYTHON) tests/compiler/lint/fix_run.py $(CORPUS) --requests $(or $(REQUESTS),1000)

# Both versions of each example policy on the same random requests.
.PHONY: compare-examples
compare-examples: build
	@$(VENV_PYTHON) tests/compiler/examples/example_pairs.py --requests $(or $(REQUESTS),10000) --seed $(or $(SEED),1)

# Pictures of output. Needs Chromium, which nothing else here does.
.PHONY: screens
screens: build
	@$(PYTHON) mk/screens.py

# Pictures of the dashboard: a quarter of an hour of traffic. Needs Chromium and its driver.
.PHONY: dashboard-pictures
dashboard-pictures: build
	@$(PYTHON) mk/dashboard_pictures.py
