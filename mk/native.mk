# What the compiler needs of the runtime: helpers as bitcode, and the digest of the contract for both sides.

POLICY_CPU   := x86-64
POLICY_CLANG ?= clang-14
POLICY_BC    := $(B)/lib/inline.bc
POLICY_SUPPORT := $(B)/lib/support.o
POLICY_HEADERS := runtime/policy_abi.h runtime/base/span.h runtime/http/message.h runtime/http/names.h

# No frame of its own, no libc, no tables: the code disappears in its callers.
$(POLICY_BC): runtime/policy/inline.c $(POLICY_HEADERS) runtime/base/mem.h mk/native.mk
	@mkdir -p $(@D)
	@echo '  BC $@'
	@$(POLICY_CLANG) -std=gnu11 -Iruntime -O2 -march=$(POLICY_CPU) -fPIC -fno-stack-protector -fno-ident \
	  -fno-asynchronous-unwind-tables -Wall -Wextra -Werror -Wno-missing-prototypes -emit-llvm -c $< -o $@.new && mv $@.new $@

# No builtins: the loops in it must not become calls to themselves.
$(POLICY_SUPPORT): runtime/policy/inline.c $(POLICY_HEADERS) mk/native.mk
	@mkdir -p $(@D)
	@$(POLICY_CLANG) -std=gnu11 -Iruntime -DPOLICY_SUPPORT -O2 -march=$(POLICY_CPU) -fPIC -fno-builtin -fno-stack-protector \
	  -fno-ident -fno-vectorize -fno-unroll-loops -Wall -Wextra -Werror -c $< -o $@.new && mv $@.new $@

# The stamp is what is made; the two files keep their time when they would say the same.
$(B)/gen/abi.stamp: $(POLICY_BC) compiler/native/digest.py
	@mkdir -p $(@D)
	@echo '  GEN $(B)/gen/abi_digest.h'
	@$(PYTHON) compiler/native/digest.py --runtime runtime --bitcode $(POLICY_BC) --cpu $(POLICY_CPU) \
	  --header $(B)/gen/abi_digest.h --json $(B)/lib/abi.json
	@touch $@

$(B)/gen/abi_digest.h $(B)/lib/abi.json: $(B)/gen/abi.stamp ;

.PHONY: native-inputs
native-inputs: $(POLICY_SUPPORT) $(B)/gen/abi_digest.h $(B)/lib/abi.json
generated: native-inputs

# Random policies on Debian's varnishd and on ours; see docs/testing.md.
POLICIES ?= 2000
.PHONY: compare-stock
compare-stock: build
	@test -x /usr/sbin/varnishd || { echo "compare-stock needs Debian's package varnish"; exit 2; }
	@$(B)/venv/bin/python tests/compiler/native/stock_run.py --policies $(POLICIES)

.PHONY: compare-surface
compare-surface: build
	@test -x /usr/sbin/varnishd || { echo "compare-surface needs Debian's package varnish"; exit 2; }
	@$(B)/venv/bin/python tests/compiler/surface/stock_surface.py
