# testssl.sh against a listener with HTTPS: make testssl. Fails on a row above LOW that is not about the certificates
# of the test. TESTSSL_ARGS goes to tests/testssl/testssl_run.py.
.PHONY: testssl testssl-packages

testssl-packages:
	$(INSTALL) -f 'make testssl' testssl.sh openssl

testssl: build testssl-packages
	@$(PYTHON) tests/testssl/testssl_run.py $(TESTSSL_ARGS)
