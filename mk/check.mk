# Checks that need no test run: `make check`, and one target for each tool. The checks of each tool, and the
# reason for each disabled one, are in the file of the tool (.clang-format, .clang-tidy, .shellcheckrc,
# pyproject.toml; clang's warnings are below). tests/test_checks.py seeds one mistake of each kind.

# One version of clang, because each has other findings; Debian 12 has it. `make test` goes on without it.
PACKAGES_CHECK := 'clang-14?' 'clang-tidy-14?' shellcheck
C_FORMATTED    := runtime tests benchmarks examples
SHELL_SCRIPTS  := .ci/run $(wildcard mk/*.sh)
CHECK_BIN      := $(B)/venv/bin

# All of clang's warnings except:
#   c++98-compat, declaration-after-statement      this is C11
#   gnu-*, pedantic                                this is gnu11: statement expressions, ranges of arrays
#   padded, cast-align, atomic-implicit-seq-cst    report intended code
#   cast-qual                                      an object that is lent as const is returned to its owner
#   class-varargs, disabled-macro-expansion, missing-field-initializers, used-but-marked-unused
#                                                  in macros of libseccomp, glibc and xxHash
#   comma, assign-enum, bad-function-cast, string-conversion
#                                                  `return *out = 1, NULL`; tags of other tables; (double)sysconf(); CHECK(!"why")
#   double-promotion, float-equal                  isnan() and isinf(); values that were copied are compared
#   conditional-uninitialized                      does not see that an error leaves before the use; the analyzer does
#   format-nonliteral                              helpers that take a format check it by attribute
#   missing-noreturn                               callbacks that panic
#   missing-variable-declarations                  jemalloc's malloc_conf
#   sign-conversion                                counters of loops that become enums
#   switch-enum                                    a default is allowed
#   unused-parameter, unused-macros                callbacks; options of a module that share one list
CLANG_WARNINGS := -Weverything $(addprefix -Wno-,c++98-compat declaration-after-statement gnu pedantic padded cast-align \
                  atomic-implicit-seq-cst cast-qual class-varargs disabled-macro-expansion missing-field-initializers \
                  used-but-marked-unused comma assign-enum bad-function-cast string-conversion double-promotion float-equal \
                  conditional-uninitialized format-nonliteral missing-noreturn missing-variable-declarations sign-conversion \
                  switch-enum unused-parameter unused-macros)

# The shallow mode of the analyzer: its deep mode takes over ten minutes for this code.
CLANG_ANALYZER := --analyze -Xclang -analyzer-werror -Xclang -analyzer-config -Xclang mode=shallow -Xclang -analyzer-output=text
CLANG_FLAGS    := -std=gnu11 -D_GNU_SOURCE -Iruntime -I$(B)/gen
CHECKED_C      := $(filter-out $(EXCLUDE_SOURCES),$(wildcard runtime/*.c runtime/*/*.c runtime/*/*/*.c))

.PHONY: check check-tools check-format check-c check-ruff check-mypy check-shell format
check: check-tools
	@$(MAKE) --no-print-directory -j$(JOBS) -O check-format check-ruff check-mypy check-shell check-c
	@echo 'make check: clean'

check-tools: packages-build
	$(INSTALL) -f 'make check' $(PACKAGES_CHECK)
	@$(MAKE) --no-print-directory $(B)/venv/.requirements-check

$(B)/venv/.requirements-check: requirements-check.txt $(B)/venv/.requirements-test
	@echo '  PIP $<'
	@$(PIP_INSTALL) -r $<
	@touch $@

check-format: | $(B)/venv/.requirements-check
	@git ls-files $(foreach d,$(C_FORMATTED),'$(d)/*.c' '$(d)/*.h') | xargs $(CHECK_BIN)/clang-format --dry-run -Werror

check-ruff: | $(B)/venv/.requirements-check
	@$(CHECK_BIN)/ruff check -q
	@$(CHECK_BIN)/ruff format --check -q

check-mypy: $(B)/py/vernis | $(B)/venv/.requirements-check
	@$(CHECK_BIN)/mypy --no-error-summary

check-shell:
	@shellcheck $(SHELL_SCRIPTS)

# A clean file is checked again only if it or one of its headers changes.
check-c: $(CHECKED_C:%.c=$(B)/check/%.ok)

.PHONY: check-clang
check-clang:
	@command -v clang-14 >/dev/null && command -v clang-tidy-14 >/dev/null || { \
	  echo 'make check-c needs clang-14 and clang-tidy-14 (packages of Debian 12)' >&2; exit 1; }

$(B)/check/%.ok: %.c .clang-tidy mk/check.mk | generated check-clang
	@mkdir -p $(@D)
	@clang-14 $(CLANG_FLAGS) -fsyntax-only -Werror $(CLANG_WARNINGS) $<
	@clang-14 $(CLANG_FLAGS) $(CLANG_ANALYZER) $< -o /dev/null
	@clang-tidy-14 --quiet $< -- $(CLANG_FLAGS) -w 2> $(@:.ok=.log) || { cat $(@:.ok=.log) >&2; exit 1; }
	@$(CC) $(CLANG_FLAGS) -MM -MP -MT $@ -MF $(@:.ok=.d) $<
	@touch $@

format: | $(B)/venv/.requirements-check
	@git ls-files $(foreach d,$(C_FORMATTED),'$(d)/*.c' '$(d)/*.h') | xargs $(CHECK_BIN)/clang-format -i
	@$(CHECK_BIN)/ruff format -q
	@$(CHECK_BIN)/ruff check -q --fix

# ---- for debuggers and editors -------------------------------------------------------------------------------------------------

.PHONY: debug compile-commands
debug: $(B)/debug/bin/vernisd
	@ln -sf ../../bin/vernis $(B)/debug/bin/vernis
	@echo 'make debug: $< is built without optimisation: gdb --args $< -F ...'

# The commands that `make -n` would run, for clangd and similar tools.
compile-commands: compile_commands.json
compile_commands.json: Makefile mk/compile_commands.py $(CHECKED_C)
	@$(PYTHON) mk/compile_commands.py $(CC) $(CFLAGS_common) $(filter-out -mtls-dialect=%,$(CFLAGS_release)) -- $(CHECKED_C) > $@.new && mv $@.new $@
