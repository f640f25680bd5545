# `make lines`: which locks and shared cache lines a request touches. build/counting/vernisd has the
# instrumentation of ThreadSanitizer with a runtime that counts (tests/support/counting.c).
# tests/proxy/shared_lines.py runs it, and tests/data/shared_lines.tsv has the table that a test compares.

# The runtime of ThreadSanitizer is not linked, because ours has its names. Copies by memcpy are not counted.
CFLAGS_counting  := -O2 -g -DNDEBUG -fsanitize=thread --param=tsan-instrument-func-entry-exit=0
COUNTED_LOCKS    := pthread_mutex_lock pthread_mutex_trylock pthread_rwlock_rdlock pthread_rwlock_wrlock
LDFLAGS_counting := -fno-sanitize=thread $(COUNTED_LOCKS:%=-Wl,--wrap=%)
LIBS_counting     = $(B)/counting/counting.o $(LIBS_release)

$(B)/counting/counting.o: tests/support/counting.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_common) -O2 -g -c $< -o $@

$(B)/counting/main.o: grammar/builtin.vcl
$(eval $(call variant_rules,counting))
$(foreach r,$(ROOMS),$(eval $(call archive_rules,counting,$(r))))
$(eval $(call daemon_rules,counting,$(B)/counting/vernisd))
$(B)/counting/vernisd: $(B)/counting/counting.o

# LINES_ARGS: --loops N, --update (writes the table).
.PHONY: lines
lines: build $(B)/counting/vernisd
	@PYTHONPATH=tests $(VENV_PYTHON) tests/proxy/shared_lines.py $(LINES_ARGS)
