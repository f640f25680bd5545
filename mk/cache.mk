# Small measurements of the cache room.

OBJECTS ?= 1000000
THREADS ?= 2

.PHONY: micro-object-memory
micro-object-memory: $(patsubst %,$(B)/release/%.a,base match log loop http cache)
	@mkdir -p $(B)/bench
	@$(CC) $(CFLAGS_common) $(CFLAGS_release) benchmarks/micro_object_memory.c -o $(B)/bench/micro_object_memory \
	  $(call group,$^) $(LIBS) $(LIBS_release) -rdynamic
	@$(B)/bench/micro_object_memory $(OBJECTS) $(THREADS)
