# `make build PROFILE=1` optimises the daemon by a profile. It builds a daemon with counters in build/profile,
# gives it a training load (benchmarks/training.py, 127.0.0.1 only), and compiles the release with the counts.
# Each change of a C source repeats all of it, so that no object has the profile of other sources. The
# repository keeps no profile. Where the training cannot run, the build goes on with LTO alone.

# -fprofile-partial-training optimises code that the training did not run as without a profile. Otherwise gcc
# would make it small. Threads update the counters at once: atomic, and corrected where one was in between.
# gcc's warnings depend on the profile (the plain build has none): -w.
ifeq ($(PROFILE),1)
CFLAGS_profile := $(filter-out $(LTO_FLAGS),$(CFLAGS_release)) -fprofile-generate -fprofile-update=atomic -DPROFILE_TRAINING -w
LIBS_profile   := $(LIBS_release)
CFLAGS_release += -fprofile-partial-training -fprofile-correction -w
COUNTING       := $(B)/profile/bin/vernisd

$(B)/profile/main.o: grammar/builtin.vcl
$(eval $(call flags_rules,profile))
$(eval $(call variant_rules,profile))
$(foreach r,$(ROOMS),$(eval $(call archive_rules,profile,$(r))))
$(eval $(call daemon_rules,profile,$(COUNTING)))

# gcc finds the profile of an object, and of its static functions, by the name of its dumps: without `./`.
USE_PROFILE_release = $$(test ! -f $(B)/profile/$*.gcda || echo -fprofile-use \
                        -dumpdir $(B)/profile/$(patsubst ./%,%,$(dir $*)) -dumpbase $(notdir $*).c -dumpbase-ext .c)

TRAINING := $(addprefix benchmarks/,training.py peers.py fetch.c floor.c) examples/site/site.vcl
$(B)/profile/.trained: $(COUNTING) $(TRAINING) | venv $(B)/bin/vernis parser-extension
	@echo '  TRAIN $<'
	@find $(B)/profile -name '*.gcda' -delete
	@VERNIS_COMPILER=$(abspath $(B)/bin/vernis) $(VENV_PYTHON) benchmarks/training.py $< || { \
	  find $(B)/profile -name '*.gcda' -delete; \
	  echo 'PROFILE=1: the training load failed (see above); the daemon is optimised across files only' >&2; }
	@touch $@
endif
