# Varnish's own test suite against the daemon: make vtc SUITE=DIR, where DIR is a source tree of Varnish
# Cache, tag varnish-7.1.1. Fails if a script of the ledger no longer passes. LEDGER=update writes the passing
# scripts to the ledger; VTC_ARGS goes to tests/vtc/upstream.py. make vtc-modules SUITES=DIR does so for
# third-party modules, whose source trees are in DIR: docs/testing.md names them. make vtc-later SUITE=DIR
# does so for scripts of later releases that Varnish 7.1.1 passes too; DIR is a clone of its repository, with
# tags.
.PHONY: vtc vtc-suite vtc-modules vtc-later

vtc-suite:
	@test -n '$(SUITE)' || { echo 'make vtc: SUITE=DIR is missing: a source tree of Varnish Cache, tag varnish-7.1.1' >&2; exit 2; }
	$(INSTALL) -f 'make vtc' varnish

vtc: vtc-suite build
	@$(PYTHON) tests/vtc/upstream.py '$(SUITE)' $(if $(filter update,$(LEDGER)),--update) $(VTC_ARGS)

vtc-modules: build
	@test -n '$(SUITES)' || { echo 'make vtc-modules: SUITES=DIR is missing: a folder of source trees, see docs/testing.md' >&2; exit 2; }
	$(INSTALL) -f 'make vtc-modules' varnish
	@$(PYTHON) tests/vtc/upstream.py '$(SUITES)' --modules $(if $(filter update,$(LEDGER)),--update) $(VTC_ARGS)

vtc-later: build
	@test -n '$(SUITE)' || { echo "make vtc-later: SUITE=DIR is missing: a clone of Varnish Cache's repository, with tags" >&2; exit 2; }
	$(INSTALL) -f 'make vtc-later' varnish
	@$(if $(VARNISHTEST),VARNISHTEST='$(VARNISHTEST)' )$(PYTHON) tests/vtc/upstream.py '$(SUITE)' --later $(if $(filter update,$(LEDGER)),--update) $(VTC_ARGS)
