# Inputs of the compiler from the runtime: helpers as bitcode, and the digest of the contract for both sides.

# For each processor: its name in LLVM, and clang's flags. compiler/native/target.py has the features.
POLICY_CPU_x86_64    := x86-64
POLICY_FLAGS_x86_64  := -march=x86-64
POLICY_CPU_aarch64   := generic
POLICY_FLAGS_aarch64 := --target=aarch64-linux-gnu -march=armv8-a -mno-outline-atomics -fsigned-char

POLICY_CPU   = $(or $(POLICY_CPU_$(MACHINE)),$(error policies cannot be compiled for $(MACHINE) yet))
POLICY_CLANG ?= $(shell sh mk/find-clang.sh)
POLICY_FLAGS := -std=gnu11 -Iruntime -I$(B)/gen -O2 $(POLICY_FLAGS_$(MACHINE)) $(if $(SYSROOT),--sysroot=$(SYSROOT)) -fPIC -fno-stack-protector
POLICY_BC    := $(B)/lib/inline.bc
POLICY_SUPPORT := $(B)/lib/support.o
POLICY_HEADERS := runtime/policy_abi.h $(B)/gen/policy_numbers.h $(B)/gen/policy_origins.h runtime/base/span.h runtime/http/message.h runtime/http/names.h

# The C headers of the language's table. Make tracks the stamp; an unchanged header keeps its time.
CONTRACT_SOURCES := grammar/vocabulary.toml $(addprefix compiler/,record.py semantics/frozen.py semantics/origins.py \
                    semantics/phrases.py semantics/types.py semantics/vocabulary.py ir/declare.py ir/ir.py ir/externs.py native/abi.py \
                    native/digest.py native/headers.py native/origins.py native/shapes.py)
$(B)/gen/contract.stamp: $(CONTRACT_SOURCES) | $(B)/py/vernis
	@mkdir -p $(@D)
	@echo '  GEN $(B)/gen (headers of the contract)'
	@PYTHONPATH=$(B)/py $(PYTHON) -m vernis.native.headers $(B)/gen
	@touch $@

CONTRACT_HEADERS := $(addprefix $(B)/gen/,policy_numbers.h policy_origins.h vcl_literals.h reason_phrases.h exports_policy.h exports_policy_rows.h \
                      exports_vmod.h exports_vmod_rows.h)
$(CONTRACT_HEADERS): $(B)/gen/contract.stamp ;

# No frame, no libc, no tables, because the code is inlined into its callers.
$(POLICY_BC): runtime/policy/inline.c $(POLICY_HEADERS) runtime/base/mem.h mk/native.mk
	@mkdir -p $(@D)
	@echo '  BC $@'
	@$(POLICY_CLANG) $(POLICY_FLAGS) -fno-ident -fno-asynchronous-unwind-tables -Wall -Wextra -Werror -Wno-missing-prototypes \
	  -emit-llvm -c $< -o $@.new && mv $@.new $@

$(POLICY_BC) $(POLICY_SUPPORT): | $(B)/gen/log_tags.h

# No builtins: the loops in it must not become calls to themselves.
$(POLICY_SUPPORT): runtime/policy/inline.c $(POLICY_HEADERS) mk/native.mk
	@mkdir -p $(@D)
	@$(POLICY_CLANG) $(POLICY_FLAGS) -DPOLICY_SUPPORT -fno-builtin -fno-ident -fno-vectorize -fno-unroll-loops \
	  -Wall -Wextra -Werror -c $< -o $@.new && mv $@.new $@

# Make tracks the stamp; an unchanged file keeps its time.
$(B)/gen/abi.stamp: $(POLICY_BC) $(POLICY_HEADERS) $(addprefix compiler/native/,digest.py measure.py)
	@mkdir -p $(@D)
	@echo '  GEN $(B)/gen/abi_digest.h'
	@PYTHONPATH=$(B)/py $(PYTHON) -m vernis.native.digest --clang $(POLICY_CLANG) --flags '$(POLICY_FLAGS)' --headers $(POLICY_HEADERS) \
	  --helpers runtime/policy/inline.c --bitcode $(POLICY_BC) --target $(MACHINE)-linux-gnu --cpu $(POLICY_CPU) \
	  --header $(B)/gen/abi_digest.h --json $(B)/lib/abi.json
	@touch $@

$(B)/gen/abi_digest.h $(B)/lib/abi.json: $(B)/gen/abi.stamp ;

.PHONY: native-inputs
native-inputs: $(POLICY_SUPPORT) $(CONTRACT_HEADERS) $(B)/gen/abi_digest.h $(B)/lib/abi.json
generated: native-inputs

# Runs random policies on Debian's varnishd and on vernisd; see docs/testing.md.
POLICIES ?= 2000
.PHONY: compare-stock
compare-stock: build
	@test -x /usr/sbin/varnishd || { echo "compare-stock needs Debian's package varnish"; exit 2; }
	@$(B)/venv/bin/python tests/compiler/native/stock_run.py --policies $(POLICIES)

# Writes the tables of tests/data/stock again, from the answers of Debian's varnishd.
.PHONY: compare-tables
compare-tables:
	@test -x /usr/sbin/varnishd || { echo "compare-tables needs Debian's package varnish"; exit 2; }
	@$(B)/venv/bin/python tests/proxy/stock_tables.py

# Compares HTTP behaviour of Debian's varnishd and vernisd; see docs/testing.md. ARGS='--only REGEX',
# ARGS=--update and others.
.PHONY: compare-http
compare-http: build
	@test -x /usr/sbin/varnishd || { echo "compare-http needs Debian's package varnish"; exit 2; }
	@$(B)/venv/bin/python tests/proxy/http_compare.py $(ARGS)

# Walks through public policies for Magento, Drupal and WordPress, in Vernis and in varnishd if it is installed.
.PHONY: cms
cms: build
	@test -d "$(POLICIES)" || { echo 'usage: make cms POLICIES=DIR (docs/testing.md#policies-of-magento-drupal-and-wordpress)'; exit 2; }
	@CMS_POLICIES="$(abspath $(POLICIES))" $(B)/venv/bin/python -m pytest -q -s tests/proxy/test_cms_policies.py

.PHONY: compare-surface
compare-surface: build
	@test -x /usr/sbin/varnishd || { echo "compare-surface needs Debian's package varnish"; exit 2; }
	@$(B)/venv/bin/python tests/compiler/surface/stock_surface.py

# Compares body filters with Python's decoders of gzip, br and zstd, and with the reference of ESI.
CASES ?= 10000
.PHONY: compare-filters
compare-filters: runtime-lib $(B)/venv/.requirements-test
	@CASES=$(CASES) $(B)/venv/bin/python -m pytest -q tests/runtime/filter/test_filters.py

# Compares the decoder of HPACK with those of nghttp2 and of the Python package hpack.
BLOCKS ?= 1000000
.PHONY: compare-hpack
compare-hpack: packages-test $(B)/venv/.requirements-test
	@$(B)/venv/bin/python tests/runtime/stream/test_hpack_reference.py --blocks $(BLOCKS)

# Compares pattern sets with PCRE2 on random patterns and subjects. CORPUS=folder: also on the patterns of the policies there.
PAIRS ?= 20000000
.PHONY: compare-patterns
compare-patterns: $(B)/bin/compare_patterns
	@$(if $(CORPUS),$(PYTHON) tests/support/corpus_patterns.py '$(CORPUS)' > $(B)/corpus_patterns)
	@$< $(PAIRS) $(or $(SEED),1) $(if $(CORPUS),$(B)/corpus_patterns)

$(B)/bin/compare_patterns: tests/support/compare_patterns.c tests/support/pattern_pairs.h $(B)/release/match.a $(B)/release/base.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_common) $(CFLAGS_release) -Itests $< -o $@ $(filter %.a,$^) $(LIBS)
