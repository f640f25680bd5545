# Hardening of release builds. `make bench-hardening` measures the cost of each flag; docs/hardening.md has the
# results, and the table of the binaries that `make docs` writes.
#
#   -D_FORTIFY_SOURCE=3        glibc checks copies into objects of known size, and ends the process
#   -fstack-protector-strong   a canary behind arrays on the stack
#   -fstack-clash-protection   large frames touch each page, so that none jumps over the guard page of a
#                              fiber's stack
#   -pie                       the program is loaded at a random address
#   -z relro, -z now           the loader's tables are read-only before main() runs
#   -z noexecstack             no stack is executable
#
# Left out: -fcf-protection, because it costs most and Linux does not check its marks in programs.

HARDENING_NAMES     := none fortify protector clash all control
HARDENING_fortify   := $(filter -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=%,$(HARDENING))
HARDENING_protector := $(filter -fstack-protector-%,$(HARDENING))
HARDENING_clash     := $(filter -fstack-clash-%,$(HARDENING))
HARDENING_control   := -fcf-protection=branch
HARDENING_all       := $(HARDENING)
HARDENED            := $(foreach n,$(HARDENING_NAMES),$(B)/hard-$(n)/build/bin/vernisd)

# Daemons with one flag each, with all flags of HARDENING and with none. Other goals need none of these rules.
ifneq ($(filter hardened $(B)/hard-%,$(MAKECMDGOALS)),)
$(foreach n,$(HARDENING_NAMES),\
  $(eval CFLAGS_hard-$(n) := $(filter-out $(HARDENING),$(CFLAGS_release)) $(HARDENING_$(n)))\
  $(eval LIBS_hard-$(n) := $(LIBS_release))\
  $(eval $(B)/hard-$(n)/main.o: grammar/builtin.vcl)\
  $(eval $(call flags_rules,hard-$(n)))\
  $(eval $(call variant_rules,hard-$(n)))\
  $(foreach r,$(ROOMS),$(eval $(call archive_rules,hard-$(n),$(r))))\
  $(eval $(call daemon_rules,hard-$(n),$(B)/hard-$(n)/build/bin/vernisd)))
LDFLAGS_hard-all := $(LDFLAGS_release)
endif

.PHONY: hardened bench-hardening
hardened: $(HARDENED)

bench-hardening: bench-packages
	@mk/install-packages.sh valgrind apache2-utils
	@$(MAKE) --no-print-directory -j$(JOBS) hardened
	@$(B)/venv/bin/python benchmarks/hardening.py $(BENCH_ARGS)
