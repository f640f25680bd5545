# Small measurements of the cache room.

OBJECTS ?= 1000000
THREADS ?= 2

.PHONY: micro-object-memory
micro-object-memory: $(patsubst %,$(B)/release/%.a,base match log loop http cache)
	@mkdir -p $(B)/bench
	@$(CC) $(CFLAGS_common) $(CFLAGS_release) benchmarks/micro_object_memory.c -o $(B)/bench/micro_object_memory \
	  $(call group,$^) $(LIBS) $(LIBS_release) -rdynamic
	@$(B)/bench/micro_object_memory $(OBJECTS) $(THREADS)

# Compares gzip libraries on the pages and sources of this repository: docs/dependencies.md has the table.
ROUNDS ?= 41
.PHONY: micro-gzip
micro-gzip: $(B)/release/base.a
	@mkdir -p $(B)/bench
	@$(CC) $(CFLAGS_common) $(CFLAGS_release) benchmarks/micro_gzip.c -o $(B)/bench/micro_gzip $< $(LIBS)
	@$(B)/bench/micro_gzip $(ROUNDS) README.md docs/*.md $(sort $(wildcard runtime/proxy/*.c runtime/cache/*.c compiler/*/*.py))
