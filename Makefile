# Build of Vernis. `make help` lists the commands. All output goes to build/. Each room of the C sources is
# one folder and becomes one archive per variant (release, asan, tsan). Archives are linked in dependency
# order, so that a room can be built and tested with only the rooms to its left.

PYTHON  ?= /usr/bin/python3
CC      := gcc
AR      := gcc-ar
ROOMS   := base match log loop tls storage body http filter cache origin stream policy vmod proxy trial daemon keys worker manager
VARIANT ?= asan
B       := build

# The processor that CC compiles for: this one before gcc is installed. mk/cross.mk overrides CC, AR and B.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null || uname -m)))

VARIANTS := release debug asan tsan gcov

# mk/hardening.mk explains each flag of HARDENING; docs/hardening.md has the costs. Plain char is signed on
# each processor, as on x86-64.
HARDENING      := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection
CFLAGS_common  := -std=gnu11 -D_GNU_SOURCE -Iruntime -I$(B)/gen -Wall -Wextra -Werror -Wshadow -Wno-unused-parameter -fno-strict-aliasing \
                  -fno-omit-frame-pointer -pthread -fPIC$(if $(filter aarch64,$(MACHINE)), -fsigned-char)
# With TLS descriptors (gnu2, the default on aarch64) the address of a thread-local variable takes no call that
# saves registers. Nobody replaces functions of ours at load time, so gcc may inline those that other files
# call, too.
TLS_x86_64     := -mtls-dialect=gnu2
# LTO=1 optimises across files: 5 % fewer instructions a hit, and half a minute for each link. PROFILE=1 does, too,
# and optimises by a profile of a training load: mk/profile.mk. `make deb` sets both.
PROFILE        ?= $(if $(filter deb,$(MAKECMDGOALS)),1,0)
LTO            ?= $(if $(filter 1,$(PROFILE))$(filter deb,$(MAKECMDGOALS)),1,0)
export LTO PROFILE
LTO_FLAGS      := $(if $(filter 1,$(LTO)),-flto=auto)
CFLAGS_release := -O2 -g -DNDEBUG $(TLS_$(MACHINE)) -fno-semantic-interposition $(HARDENING) $(LTO_FLAGS)
# LTO may put functions of main.c and its assembler text, with the local symbol of the built-in policy, into two
# objects.
CFLAGS_of_main := -fno-lto
CFLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
CFLAGS_tsan    := -O1 -g -fsanitize=thread
CFLAGS_debug   := -O0 -g3
CFLAGS_gcov    := -O0 -g --coverage -Wno-maybe-uninitialized
LIBS           := -lpcre2-8 -ljansson -lmaxminddb -lcrypt -lssl -lcrypto -lresolv -lxxhash -lseccomp -lboost_context -lbrotlienc -lbrotlidec -lzstd -lz -ldeflate -lisal -ldl -lm -pthread
LDFLAGS_release := -Wl,-z,relro,-z,now,-z,noexecstack $(LTO_FLAGS)
# malloc is a builtin of gcc, and LTO hides calls of builtins from the linker's choice of needed libraries.
LIBS_release   := -Wl,--push-state,--no-as-needed -ljemalloc -Wl,--pop-state

.DEFAULT_GOAL := help
.PHONY: help build run test bench clean unit daemon runtime-lib venv FORCE

help:
	@echo 'make build   build/bin/vernis, build/bin/vernisd and build/lib/libvernisrt.so (installs missing packages);'
	@echo '             PROFILE=1 optimises across files and by a training load, as packages do; LTO=1 only across files'
	@echo 'make run     make build, then run the proxy with an example policy in front of a demo origin'
	@echo 'make test    make build, then run all tests (installs missing packages)'
	@echo 'make test-quick  some tests of each file: five minutes on two processors'
	@echo 'make check   formatters, linters, types and static analysis; make format formats C by .clang-format'
	@echo 'make debug   build/debug/bin/vernisd, without optimisation; make compile_commands.json for editors'
	@echo 'make bench   compares cache hits with the peers (installs them)'
	@echo 'make bench-cores   what more cores give, beside the peers'
	@echo 'make bench-conformance SUITE=DIR [LEDGER=update]   the public HTTP cache tests, compared with installed peers'
	@echo 'make bench-http2   HTTP/2 over plain TCP beside HTTP/1 and the peers; make bench-http2-attacks its attackers'
	@echo 'make bench-http2-waiting   clients of HTTP/2 beside requests that wait for a slow origin'
	@echo 'make bench-tls   hits and handshakes over TLS beside plain hits, nginx, HAProxy and hitch'
	@echo 'make bench-versions OTHER=DIR   compares the cost of hits and loads with another built checkout of Vernis'
	@echo 'make model-cores   throughput of 64 cores, simulated from counted locks and shared cache lines'
	@echo 'make lines   the locks and shared cache lines that each kind of request touches'
	@echo 'make bench-hardening   cost of each hardening flag of the release build per hit'
	@echo 'make fuzz    fuzzers, FUZZ_SECONDS each, and FUZZ_MUTANTS mutants of policies'
	@echo 'make compare-http                    compares HTTP behaviour with Varnish'
	@echo 'make cms POLICIES=DIR   walks through public policies for Magento, Drupal and WordPress'
	@echo 'make vtc SUITE=DIR [LEDGER=update]   the test suite of Varnish, compared with the ledger of passed scripts'
	@echo 'make vtc-later SUITE=DIR [LEDGER=update]   scripts of later releases of Varnish; DIR is a clone of its repository'
	@echo 'make h2spec [LEDGER=update]   the conformance tests of HTTP/2, plain and over TLS, compared with the ledger of passed cases'
	@echo 'make testssl   testssl.sh against a listener with HTTPS; fails on a row above LOW'
	@echo 'make vtc-modules SUITES=DIR [LEDGER=update]   the test suites of the bundled third-party modules'
	@echo 'make unit ROOM=http [VARIANT=asan|tsan] [TEST=name]   C unit tests of one room'
	@echo 'make coverage ROOM=proxy   line coverage of a room by its unit tests'
	@echo 'make docs    generates pages from tables in the sources (parameters, commands of vernis) and draws the pictures'
	@echo 'make man     manual pages in build/man; a part of make build'
	@echo 'make deb     a package for this Debian or Ubuntu, in build/deb'
	@echo 'make install [DESTDIR=] [PREFIX=/usr/local]   copies what `make build` made; make uninstall removes it'
	@echo 'make image   an image of Containerfile with buildah; make test-image runs it without rights'
	@echo 'make cross   the daemon for aarch64 in build/aarch64-linux-gnu; make test-aarch64 tests it under qemu'
	@echo 'make clean   removes build/'

# ---- C: objects, archives, programs ------------------------------------------------------------------------------------

EXCLUDE_SOURCES := runtime/policy/inline.c
room_sources = $(filter-out $(EXCLUDE_SOURCES),$(wildcard runtime/$(1)/*.c runtime/$(1)/*/*.c))
left_of      = $(if $(filter $(1),$(ROOMS)),$(shell echo ' $(ROOMS) ' | sed 's/ $(1) .*/ $(1)/'),)

# The flags of release builds. Make writes this file only when they change, and then compiles all objects
# again: build folders of users live through updates.
define flags_rules
FLAGS_FILE_$(1) := $(B)/$(1)/.flags
$(B)/$(1)/.flags: FORCE
	@mkdir -p $$(@D)
	@echo '$$(CFLAGS_common) $$(CFLAGS_$(1))' | cmp -s - $$@ || echo '$$(CFLAGS_common) $$(CFLAGS_$(1))' > $$@
endef
$(eval $(call flags_rules,release))

# Objects of PROFILE=1 wait for the training.
TRAINED_release := $(if $(filter 1,$(PROFILE)),$(B)/profile/.trained)

define variant_rules
$(B)/$(1)/%.o: runtime/%.c $$(FLAGS_FILE_$(1)) $$(TRAINED_$(1)) | generated
	@mkdir -p $$(@D)
	@echo '  CC($(1)) $$<'
	@$(CC) $$(CFLAGS_common) $$(CFLAGS_$(1)) $$(CFLAGS_of_$$*) $$(USE_PROFILE_$(1)) -Wmissing-prototypes -MMD -MP -c $$< -o $$@
endef
$(foreach v,$(VARIANTS),$(eval $(call variant_rules,$(v))))

define archive_rules
$(B)/$(1)/$(2).a: $(patsubst runtime/%.c,$(B)/$(1)/%.o,$(call room_sources,$(2)))
	@mkdir -p $$(@D)
	@rm -f $$@; $(AR) qcs $$@ $$^
endef
$(foreach v,$(VARIANTS),$(foreach r,$(ROOMS),$(eval $(call archive_rules,$(v),$(r)))))

archives = $(patsubst %,$(B)/$(1)/%.a,$(ROOMS))
group    = -Wl,--start-group $(1) -Wl,--end-group
undefined = $(PYTHON) mk/undefined.py $(B)/gen $(B)/$(1)      # a failed link: fails, too

define daemon_rules
$(2): $(B)/$(1)/main.o $(call archives,$(1))
	@mkdir -p $$(@D)
	@echo '  LD($(1)) $$@'
	@$(CC) $$(CFLAGS_$(1)) $$(LDFLAGS_$(1)) -pie -o $$@ $$< $$(call group,$$(call archives,$(1))) $$(LIBS) $$(LIBS_$(1)) -rdynamic \
	  || $$(call undefined,$(1))
endef
$(foreach v,$(VARIANTS),$(B)/$(v)/main.o): grammar/builtin.vcl
$(eval $(call daemon_rules,release,$(B)/bin/vernisd))
$(eval $(call daemon_rules,asan,$(B)/asan/vernisd))
$(eval $(call daemon_rules,tsan,$(B)/tsan/vernisd))
$(eval $(call daemon_rules,debug,$(B)/debug/bin/vernisd))

# A library for tests: the rooms that a policy needs, and the harness that runs a policy without the daemon.
LIBRT_ROOMS := base match log loop tls storage body http filter cache origin stream policy vmod proxy trial
$(B)/lib/libvernisrt.so: $(patsubst %,$(B)/release/%.a,$(LIBRT_ROOMS)) tests/support/harness.c tests/support/harness.h
	@mkdir -p $(@D)
	@echo '  LD(release) $@'
	@$(CC) $(CFLAGS_common) $(CFLAGS_release) $(LDFLAGS_release) -Itests -shared -o $@ tests/support/harness.c \
	  -Wl,--whole-archive $(filter %.a,$^) -Wl,--no-whole-archive $(LIBS) || $(call undefined,release)

daemon: $(B)/bin/vernisd
runtime-lib: $(B)/lib/libvernisrt.so

# Generated headers come from mk/native.mk (abi_digest.h); rooms wait for them.
.PHONY: generated

include $(wildcard mk/*.mk)
-include $(shell find $(B) -path '*/root' -prune -o -type f -name '*.d' -print 2>/dev/null)

# ---- C unit tests ------------------------------------------------------------------------------------------------------

# One program per file, linked with its room and the rooms to the left; `make -j2 unit` builds and runs two at
# once.

UNIT_TESTS   = $(if $(TEST),tests/runtime/$(ROOM)/test_$(TEST).c,$(wildcard tests/runtime/$(ROOM)/test_*.c))
UNIT_HEADERS = $(wildcard tests/runtime/*.h tests/support/*.h)

# The second implementations of stream and exchange, which drive the proxy without sockets.
UNIT_SUPPORT_proxy := $(wildcard tests/support/memory_*.c)

define unit_rules
UNIT_LEFT_$(1)_$(2) := $(patsubst %,$(B)/$(1)/%.a,$(call left_of,$(2)))
$(B)/$(1)/tests/$(2)/%: tests/runtime/$(2)/%.c $$(UNIT_HEADERS) $$(UNIT_SUPPORT_$(2)) $$(UNIT_LEFT_$(1)_$(2))
	@mkdir -p $$(@D)
	@$$(CC) $$(CFLAGS_common) $$(CFLAGS_$(1)) -Itests/runtime -Itests $$< $$(UNIT_SUPPORT_$(2)) -o $$@ \
	  $$(call group,$$(UNIT_LEFT_$(1)_$(2))) $$(LIBS) -rdynamic
.PRECIOUS: $(B)/$(1)/tests/$(2)/%
endef
$(foreach v,asan tsan gcov,$(foreach r,$(ROOMS),$(eval $(call unit_rules,$(v),$(r)))))

define unit_run_rule
unit-$(1)/%: $(B)/$(1)/tests/%
	@echo '  TEST($(1)) tests/runtime/$$*.c'; $$<
endef
$(foreach v,asan tsan gcov,$(eval $(call unit_run_rule,$(v))))

unit: $(UNIT_TESTS:tests/runtime/%.c=unit-$(VARIANT)/%)

clean:
	rm -rf $(B)
