# Fuzz targets: tests/fuzz/fuzz_*.c, one parser each, with clang's libFuzzer. `make fuzz` runs each for FUZZ_SECONDS; inputs
# that reached new code are kept in build/fuzz/corpus, so that the next run goes on from there. A crash leaves its input in
# build/fuzz/crash-*, and the command fails. Then the compiler's front end: FUZZ_MUTANTS mutants of the policies in FUZZ_SEEDS
# (files, directories; the repository's own without), each find a file in build/fuzz/front_end. `make fuzz-front-end` is that alone.

FUZZ_SECONDS ?= 60
FUZZ_MUTANTS ?= 100000
FUZZ_SEEDS   ?=
FUZZ_TARGETS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_ROOMS   := base match log loop http
FUZZ_SOURCES := $(foreach r,$(FUZZ_ROOMS),$(wildcard runtime/$(r)/*.c)) runtime/proxy/proxy_header.c
FUZZ_FLAGS   := -std=gnu11 -D_GNU_SOURCE -Iruntime -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined

.PHONY: fuzz fuzz-front-end
fuzz: fuzz-parsers fuzz-front-end

fuzz-front-end: venv parser-extension
	@$(B)/venv/bin/python tests/fuzz/front_end.py --mutants $(FUZZ_MUTANTS) --finds $(B)/fuzz/front_end $(FUZZ_SEEDS)

.PHONY: fuzz-parsers
fuzz-parsers: $(FUZZ_TARGETS:%=$(B)/fuzz/%)
	@for t in $(FUZZ_TARGETS); do \
	  mkdir -p $(B)/fuzz/corpus/$$t; echo "  FUZZ $$t ($(FUZZ_SECONDS) s)"; \
	  $(B)/fuzz/$$t -max_total_time=$(FUZZ_SECONDS) -max_len=5000 -dict=tests/fuzz/http.dict -verbosity=0 -print_final_stats=1 \
	    -artifact_prefix=$(B)/fuzz/ $(B)/fuzz/corpus/$$t 2>&1 | grep -v '^Dictionary' | tail -40 > $(B)/fuzz/$$t.log; \
	  grep -h number_of_executed_units $(B)/fuzz/$$t.log || { cat $(B)/fuzz/$$t.log; exit 1; }; \
	  if grep -q ERROR: $(B)/fuzz/$$t.log; then cat $(B)/fuzz/$$t.log; exit 1; fi; \
	done

$(B)/fuzz/%: tests/fuzz/%.c tests/fuzz/fuzz.h $(FUZZ_SOURCES)
	@mkdir -p $(@D)
	@command -v clang > /dev/null || command -v clang-14 > /dev/null || { echo 'fuzzing needs clang (Debian: clang)'; exit 1; }
	@echo '  FUZZ(build) $<'
	@$$(command -v clang || command -v clang-14) $(FUZZ_FLAGS) $< $(FUZZ_SOURCES) -o $@ $(LIBS)
