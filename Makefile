# Build of Vernis. `make help` lists the commands. Everything made goes to build/.
#
# C sources are one folder a room; each room becomes one archive per variant (release, asan, tsan), linked in dependency
# order, so that a room can be built and tested with only the rooms to its left.

PYTHON  ?= /usr/bin/python3
CC      := gcc
ROOMS   := base match log loop http cache policy filter proxy admin
VARIANT ?= asan
B       := build

CFLAGS_common  := -std=gnu11 -D_GNU_SOURCE -Iruntime -I$(B)/gen -Wall -Wextra -Werror -Wshadow -Wno-unused-parameter -fno-strict-aliasing \
                  -fno-omit-frame-pointer -pthread -fPIC
CFLAGS_release := -O2 -g -DNDEBUG
CFLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
CFLAGS_tsan    := -O1 -g -fsanitize=thread
LIBS           := -lpcre2-8 -lmaxminddb -lcrypt -lcrypto -lresolv -lxxhash -lboost_context -ldl -lm -pthread
LIBS_release   := -ljemalloc

.DEFAULT_GOAL := help
.PHONY: help build run test bench clean unit daemon runtime-lib venv

help:
	@echo 'make build   build/bin/vernis, build/bin/vernisd and build/lib/libvernisrt.so (installs what is missing)'
	@echo 'make run     the same, then the proxy with an example policy before a demo origin'
	@echo 'make test    the same for the tests'
	@echo 'make bench   side-by-side benchmark with the peers (installs them)'
	@echo 'make fuzz    fuzzers, FUZZ_SECONDS each, and FUZZ_MUTANTS mutants of policies'
	@echo 'make vtc SUITE=DIR [LEDGER=update]   the test suite of Varnish, against the ledger of what passed'
	@echo 'make unit ROOM=http [VARIANT=asan|tsan] [TEST=name]   C unit tests of one room'
	@echo 'make clean   removes build/'

# ---- C: objects, archives, programs ------------------------------------------------------------------------------------

EXCLUDE_SOURCES := runtime/policy/inline.c
room_sources = $(filter-out $(EXCLUDE_SOURCES),$(wildcard runtime/$(1)/*.c))
left_of      = $(if $(filter $(1),$(ROOMS)),$(shell echo ' $(ROOMS) ' | sed 's/ $(1) .*/ $(1)/'),)

define variant_rules
$(B)/$(1)/%.o: runtime/%.c | generated
	@mkdir -p $$(@D)
	@echo '  CC($(1)) $$<'
	@$(CC) $$(CFLAGS_common) $$(CFLAGS_$(1)) -MMD -MP -c $$< -o $$@
endef
$(foreach v,release asan tsan,$(eval $(call variant_rules,$(v))))

define archive_rules
$(B)/$(1)/$(2).a: $(patsubst runtime/%.c,$(B)/$(1)/%.o,$(call room_sources,$(2)))
	@mkdir -p $$(@D)
	@rm -f $$@; ar rcs $$@ $$^
endef
$(foreach v,release asan tsan,$(foreach r,$(ROOMS),$(eval $(call archive_rules,$(v),$(r)))))

archives = $(patsubst %,$(B)/$(1)/%.a,$(ROOMS))
group    = -Wl,--start-group $(1) -Wl,--end-group

define daemon_rules
$(2): $(B)/$(1)/main.o $(call archives,$(1))
	@mkdir -p $$(@D)
	@echo '  LD($(1)) $$@'
	@$(CC) $$(CFLAGS_$(1)) -o $$@ $$< $$(call group,$$(call archives,$(1))) $$(LIBS) $$(LIBS_$(1)) -rdynamic
endef
$(foreach v,release asan tsan,$(B)/$(v)/main.o): grammar/builtin.vcl
$(eval $(call daemon_rules,release,$(B)/bin/vernisd))
$(eval $(call daemon_rules,asan,$(B)/asan/vernisd))
$(eval $(call daemon_rules,tsan,$(B)/tsan/vernisd))

LIBRT_ROOMS := base match log loop http cache policy
$(B)/lib/libvernisrt.so: $(patsubst %,$(B)/release/%.a,$(LIBRT_ROOMS))
	@mkdir -p $(@D)
	@echo '  LD(release) $@'
	@$(CC) -shared -o $@ -Wl,--whole-archive $^ -Wl,--no-whole-archive $(LIBS)

daemon: $(B)/bin/vernisd
runtime-lib: $(B)/lib/libvernisrt.so

# Generated headers come from mk/native.mk (abi_digest.h); rooms wait for them.
.PHONY: generated

include $(wildcard mk/*.mk)
-include $(shell find $(B) -name '*.d' 2>/dev/null)

# ---- C unit tests ------------------------------------------------------------------------------------------------------

UNIT_TESTS = $(if $(TEST),tests/runtime/$(ROOM)/test_$(TEST).c,$(wildcard tests/runtime/$(ROOM)/test_*.c))
UNIT_LEFT  = $(patsubst %,$(B)/$(VARIANT)/%.a,$(call left_of,$(ROOM)))

unit: $(UNIT_LEFT)
	@for t in $(UNIT_TESTS); do \
	  out=$(B)/$(VARIANT)/tests/$(ROOM)/$$(basename $$t .c); mkdir -p $$(dirname $$out); \
	  echo "  TEST($(VARIANT)) $$t"; \
	  $(CC) $(CFLAGS_common) $(CFLAGS_$(VARIANT)) -Itests/runtime $$t -o $$out $(call group,$(UNIT_LEFT)) $(LIBS) -rdynamic && $$out || exit 1; \
	done

clean:
	rm -rf $(B)
