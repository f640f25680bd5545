# `make install` copies what `make build` made; it builds nothing and needs no network. DESTDIR stages the
# files in a folder of its own, as packages do. mk/install.py has the places.
PREFIX     ?= /usr/local
SYSCONFDIR ?= $(if $(filter /usr,$(PREFIX)),/etc,$(PREFIX)/etc)
BYTECODE   ?= yes

INSTALL_ARGS = --destdir '$(DESTDIR)' --prefix '$(PREFIX)' --sysconfdir '$(SYSCONFDIR)' $(if $(filter no,$(BYTECODE)),--no-bytecode)

.PHONY: install uninstall man

# The manual pages, from the tables of the programs.
man: $(B)/man/.made
$(B)/man/.made: mk/man.py mk/roff.py mk/pages/params.py $(B)/bin/vernisd $(EXT_DIR)/_vclvocabulary.py examples/systemd/vernisreload \
                $(shell find compiler/commands compiler/lint -name '*.py') compiler/semantics/codes.py compiler/version.py
	@echo '  MAN $(@D)'
	@PYTHONPATH=$(B)/py:$(B)/ext $(VENV_PYTHON) mk/man.py --out $(@D)
	@touch $@

install:
	@test -x $(B)/bin/vernisd -a -x $(VENV_PYTHON) || { echo 'make install: run `make build` first' >&2; exit 2; }
	@$(VENV_PYTHON) mk/install.py install $(INSTALL_ARGS)

# Works without a build, by the list of files that `make install` wrote.
uninstall:
	@$(PYTHON) mk/install.py uninstall $(INSTALL_ARGS)
