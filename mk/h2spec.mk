# The conformance tests of HTTP/2 against the daemon: make h2spec. They are a Go module, which tests/h2spec/go.mod
# pins with all that it needs. GO=PATH is the compiler; without one, Debian's is installed. Fails if a case of the
# ledger no longer passes. LEDGER=update writes the ledger; H2SPEC_ARGS goes to tests/h2spec/h2spec.py.
GO ?= $(firstword $(shell command -v go) go)

.PHONY: h2spec h2spec-packages

h2spec-packages:
	$(INSTALL) -f 'make h2spec' $(if $(shell command -v $(GO)),,golang-go)

$(B)/h2spec/h2spec: tests/h2spec/go.mod tests/h2spec/go.sum | h2spec-packages
	@echo '  GO $@'
	@mkdir -p $(@D)
	@cd tests/h2spec && GOTOOLCHAIN=local GOFLAGS='-mod=readonly -modcacherw' GOPATH=$(abspath $(@D))/modules CGO_ENABLED=0 \
	    $(GO) build -o $(abspath $@) github.com/summerwind/h2spec/cmd/h2spec

h2spec: build $(B)/h2spec/h2spec
	@$(PYTHON) tests/h2spec/h2spec.py $(B)/h2spec/h2spec $(if $(filter update,$(LEDGER)),--update) $(H2SPEC_ARGS)
