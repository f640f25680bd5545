# Fuzz targets: tests/fuzz/fuzz_*.c, one parser each, with clang's libFuzzer. `make fuzz` installs clang and
# its runtime, runs each target for FUZZ_SECONDS, FUZZ_JOBS at once, and prints the edges of the code it
# covered; inputs that reach new code stay in build/fuzz/corpus, so that the next run continues from there. A
# crash leaves its input in build/fuzz/crash-*, and the command fails. Then the compiler's front end:
# FUZZ_MUTANTS mutants of the policies in FUZZ_SEEDS (files, directories; default: the repository's own). Each
# find is a file in build/fuzz/front_end. `make fuzz-parsers` and `make fuzz-front-end` are one half each.

PACKAGES_FUZZ := clang-14 libclang-rt-14-dev
FUZZ_SECONDS  ?= 60
FUZZ_JOBS     ?= $(JOBS)
FUZZ_MUTANTS  ?= 100000
FUZZ_SEEDS    ?=
FUZZ_CC       := clang-14
FUZZ_TARGETS  := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_ROOMS    := base match log loop tls storage body http filter cache origin stream
FUZZ_SOURCES  := $(foreach r,$(FUZZ_ROOMS),$(wildcard runtime/$(r)/*.c runtime/$(r)/*/*.c)) runtime/manager/cli/words.c $(wildcard runtime/manager/tls/config*.c)
FUZZ_OBJECTS  := $(FUZZ_SOURCES:runtime/%.c=$(B)/fuzz/objects/%.o)
CFLAGS_fuzz   := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined

.PHONY: fuzz fuzz-parsers fuzz-front-end packages-fuzz
fuzz: fuzz-parsers fuzz-front-end

packages-fuzz:
	$(if $(SKIP_PACKAGES),@true,@sh mk/install-packages.sh) -f 'make fuzz' $(PACKAGES_FUZZ)

fuzz-front-end: venv parser-extension
	@$(B)/venv/bin/python tests/fuzz/front_end.py --mutants $(FUZZ_MUTANTS) --finds $(B)/fuzz/front_end $(FUZZ_SEEDS)

# Packages first, as for `build`: generating headers needs a compiler, the targets need clang.
fuzz-parsers: packages-build packages-fuzz
	@$(MAKE) --no-print-directory -j$(JOBS) $(FUZZ_TARGETS:%=$(B)/fuzz/%)
	@$(MAKE) --no-print-directory -j$(FUZZ_JOBS) $(FUZZ_TARGETS:%=%.run)

$(B)/fuzz/objects/%.o: runtime/%.c | generated
	@mkdir -p $(@D)
	@$(FUZZ_CC) $(CFLAGS_common) $(CFLAGS_fuzz) -Wno-unknown-warning-option -MMD -MP -c $< -o $@

$(B)/fuzz/objects.a: $(FUZZ_OBJECTS)
	@rm -f $@; ar qcs $@ $^

$(B)/fuzz/%: tests/fuzz/%.c tests/fuzz/fuzz.h $(wildcard tests/support/h2_*.h) $(B)/fuzz/objects.a
	@echo '  FUZZ(build) $<'
	@$(FUZZ_CC) $(CFLAGS_common) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Itests $< $(B)/fuzz/objects.a -o $@ $(LIBS)

# The last line of libFuzzer with "cov:" counts edges; a find prints ERROR: and ends the target with a nonzero
# exit code.
.PHONY: $(FUZZ_TARGETS:%=%.run)
$(FUZZ_TARGETS:%=%.run): %.run: $(B)/fuzz/%
	@mkdir -p $(B)/fuzz/corpus/$*
	@$(B)/fuzz/$* -max_total_time=$(FUZZ_SECONDS) -max_len=5000 -dict=tests/fuzz/http.dict -print_final_stats=1 \
	    -artifact_prefix=$(B)/fuzz/ $(B)/fuzz/corpus/$* > $(B)/fuzz/$*.log 2>&1 || { tail -60 $(B)/fuzz/$*.log; exit 1; }
	@awk '/cov: / { for (i = 1; i < NF; i++) if ($$i == "cov:") edges = $$(i + 1) } /number_of_executed_units/ { runs = $$2 } \
	    END { printf "  FUZZ %-24s %9d inputs  %6d edges\n", "$*", runs, edges; exit runs + 0 == 0 || edges + 0 == 0 }' $(B)/fuzz/$*.log
