# Another processor: `make cross` builds the daemon, the runtime's library and the files of `vernis build
# --target` for aarch64 into build/aarch64-linux-gnu. It uses Debian's cross compiler, and Debian's libraries for
# that processor, unpacked beside the result. `make test-aarch64` runs tests there, under qemu.

TARGET         := aarch64-linux-gnu
CROSS_MACHINE  := $(firstword $(subst -, ,$(TARGET)))
CROSS_DEBIAN   := $(patsubst aarch64,arm64,$(CROSS_MACHINE))
CROSS          := build/$(TARGET)
CROSS_ROOT     := $(CROSS)/root
PACKAGES_CROSS := gcc-$(TARGET) g++-$(TARGET) mmdebstrap qemu-user-static
# The libraries of `make build`, without its tools; for the target, the C++ library of the cross compiler, and
# Python.
CROSS_LIBRARIES = $(filter lib% zlib%,$(PACKAGES_BUILD)) libc6-dev libstdc++-$(shell $(TARGET)-gcc -dumpversion)-dev \
                  python3 python3-dev
CROSS_PYTHON   = $(notdir $(firstword $(wildcard $(CROSS_ROOT)/usr/bin/python3.1?)))

.PHONY: cross packages-cross test-aarch64
packages-cross:
	$(INSTALL) -f 'make cross' $(PACKAGES_CROSS)

# Nothing of the target runs here: its packages are unpacked and not configured.
$(CROSS_ROOT)/.unpacked: | packages-cross
	@echo '  ROOT $(CROSS_ROOT) ($(CROSS_DEBIAN))'
	@rm -rf $(CROSS_ROOT) && mkdir -p $(CROSS)
	@mmdebstrap --quiet --variant=extract --architectures=$(CROSS_DEBIAN) \
	  --include='$(CROSS_LIBRARIES)' $$(. /etc/os-release && echo $$VERSION_CODENAME) $(CROSS_ROOT) </dev/null
	@touch $@

# The training load of PROFILE=1 would need the target's processor.
CROSS_MAKE = $(MAKE) --no-print-directory -j$(JOBS) PROFILE=0 B=$(CROSS) VENV=$(VENV) EXT_DIR=$(CROSS)/ext \
             EXT_SUFFIX=.so SYSROOT=$(CROSS_ROOT) CC='$(TARGET)-gcc --sysroot=$(CROSS_ROOT)' \
             CXX='$(TARGET)-g++ --sysroot=$(CROSS_ROOT)' AR=$(TARGET)-gcc-ar

cross: build $(CROSS_ROOT)/.unpacked
	@$(if $(filter 1,$(PROFILE)),echo 'make cross: no training load for $(CROSS_MACHINE); PROFILE=1 only optimises across files there',true)
	@$(CROSS_MAKE) daemon runtime-lib native-inputs parser-extension
	@echo 'make cross: build/bin/vernis build --target $(TARGET) works, and $(CROSS)/bin/vernisd is ready'

# ---- tests under qemu -------------------------------------------------------------------------------------

CROSS_SITE   = $(CROSS)/venv/lib/$(CROSS_PYTHON)/site-packages
CROSS_WHEELS = $(foreach libc,manylinux_2_28 manylinux_2_17 manylinux2014,--platform $(libc)_$(CROSS_MACHINE))

# Python with the packages of the tests, for the target; and tools that compile and link for it. ANTLR's package
# is plain Python and has no wheel.
$(CROSS)/venv/.requirements: requirements-test.txt $(B)/venv/.requirements-test $(CROSS_ROOT)/.unpacked
	@echo '  PIP $< ($(TARGET))'
	@rm -rf $(@D) && mkdir -p $(@D)/bin $(CROSS)/tools
	@sed '/^antlr4-python3-runtime==/,/# via/d' $< > $(@D)/requirements.txt
	@$(PIP_INSTALL) --no-deps --only-binary=:all: $(CROSS_WHEELS) --python-version $(CROSS_PYTHON:python%=%) \
	  --target $(CROSS_SITE) -r $(@D)/requirements.txt
	@cp -r $(VENV)/lib/python3.*/site-packages/antlr4 $(CROSS_SITE)/
	@printf 'home = /usr/bin\ninclude-system-site-packages = false\n' > $(@D)/pyvenv.cfg
	@ln -s ../../root/usr/bin/$(CROSS_PYTHON) $(@D)/bin/python
	@printf '#!/bin/sh\nexec %s-gcc --sysroot="$$QEMU_LD_PREFIX" "$$@"\n' $(TARGET) > $(CROSS)/tools/cc
	@printf '#!/bin/sh\nexec %s-ld "$$@"\n' $(TARGET) > $(CROSS)/tools/ld
	@chmod 755 $(CROSS)/tools/cc $(CROSS)/tools/ld
	@touch $@

$(CROSS)/bin/vernis: mk/launcher.sh
	@install -D -m 755 $< $@

# The module of the examples, for the target: their tests need it.
CROSS_MODULE := $(addprefix examples/module/,Makefile canary.toml libvmod_canary.c)
$(CROSS)/modules/libvmod_canary.so: $(CROSS_MODULE) runtime/module_abi.h $(CROSS_ROOT)/.unpacked
	@echo '  MODULE $@'
	@mkdir -p $(@D) && cp $(CROSS_MODULE) $(@D)/
	@$(MAKE) --no-print-directory -s -C $(@D) INCLUDE=$(abspath runtime) CC='$(TARGET)-gcc --sysroot=$(abspath $(CROSS_ROOT))'

# Compiles policies for the target, here and there, and runs them there; also the daemon.
CROSS_TESTS ?= $(foreach t,abi code differential hot image language objects pattern_sets policies shapes target,\
                 tests/compiler/native/test_native_$(t).py)
test-aarch64: cross $(CROSS)/venv/.requirements $(CROSS)/bin/vernis $(CROSS)/modules/libvmod_canary.so
	@PYTHONPATH=$(B)/py:$(B)/ext $(VENV_PYTHON) tests/compiler/native/cross_images.py $(TARGET) $(CROSS)/images
	@sh mk/emulated.sh $(TARGET) build/bin/vernis test --vmod-path build/modules examples
	@sh mk/emulated.sh $(TARGET) build/bin/vernis test --sockets examples/quickstart
	@sh mk/emulated.sh $(TARGET) build/venv/bin/python -m pytest $(PYTEST_ARGS) $(CROSS_TESTS)
