# Varnish's own test suite against the daemon: make vtc SUITE=DIR, where DIR is a source tree of Varnish Cache, tag varnish-7.1.1.
# Fails when a script that passed before does not. LEDGER=update writes down what passes; VTC_ARGS goes to tests/vtc/upstream.py.
.PHONY: vtc vtc-suite

vtc-suite:
	@test -n '$(SUITE)' || { echo 'make vtc: SUITE=DIR is missing: a source tree of Varnish Cache, tag varnish-7.1.1' >&2; exit 2; }
	$(INSTALL) -f 'make vtc' varnish

vtc: vtc-suite build
	@$(PYTHON) tests/vtc/upstream.py '$(SUITE)' $(if $(filter update,$(LEDGER)),--update) $(VTC_ARGS)
