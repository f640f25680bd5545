# `make deb` makes build/deb/vernis_VERSION_ARCH.deb of what `make build` made: packaging/README.md. `make
# test-deb` installs it on a bare Debian (SUITE) with systemd as init: mk/try_package.sh. `make test-deb-beside` does
# that beside a Varnish, with the commands of the guide: mk/try_beside.sh. DEB_FILE names another package.
PACKAGES_DEB := debhelper dh-python lintian fakeroot
DEB          := $(B)/deb
# Packagers name themselves in DEBEMAIL, such as 'Name <name@host>'.
DEBEMAIL     ?= $(shell sed -n 's/^Maintainer: //p' packaging/debian/control)
DEB_VERSION   = $(shell sed -n 's/^VERSION = "\(.*\)"$$/\1/p' compiler/version.py)-1~$(shell . /etc/os-release && echo $$ID$$VERSION_ID)

DEB_FILE     ?= $(wildcard $(CURDIR)/$(DEB)/vernis_*.deb)

.PHONY: deb test-deb test-deb-beside test-deb-upgrade
deb: build
	$(if $(SKIP_PACKAGES),@true,@sh mk/install-packages.sh) -f 'make deb' $(PACKAGES_DEB)
	@rm -rf $(DEB) && mkdir -p $(DEB)/vernis
	@cp -r packaging/debian $(DEB)/vernis/
	@cp examples/systemd/vernis.service $(DEB)/vernis/debian/
	@sed -i 's/^Maintainer: .*/Maintainer: $(DEBEMAIL)/' $(DEB)/vernis/debian/control
	@printf 'vernis (%s) unstable; urgency=medium\n\n  * See /usr/share/doc/vernis/changelog.gz.\n\n -- %s  %s\n' '$(DEB_VERSION)' \
	  '$(DEBEMAIL)' "$$(date -R -d "@$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)}")" \
	  > $(DEB)/vernis/debian/changelog
	@cd $(DEB)/vernis && VERNIS_SOURCE=$(CURDIR) dpkg-buildpackage -b -uc -us > ../build.log 2>&1 || { tail -40 ../build.log; exit 1; }
	@lintian --allow-root --tag-display-limit 0 --fail-on error,warning $(DEB)/vernis_*.deb
	@ls $(DEB)/*.deb

test-deb:
	$(if $(SKIP_PACKAGES),@true,@sh mk/install-packages.sh) -f 'make test-deb' mmdebstrap iproute2
	@sh mk/try_package.sh "$(DEB_FILE)" $(CURDIR)/$(B)/try-deb/root $(SUITE)

test-deb-beside: venv
	$(if $(SKIP_PACKAGES),@true,@sh mk/install-packages.sh) -f 'make test-deb-beside' mmdebstrap iproute2 openssl
	@PYTHON=$(VENV_PYTHON) sh mk/try_beside.sh "$(DEB_FILE)" $(CURDIR)/$(B)/try-beside/root $(SUITE)

# Upgrades of the package under load: mk/try_upgrade.sh.
test-deb-upgrade: venv
	$(if $(SKIP_PACKAGES),@true,@sh mk/install-packages.sh) -f 'make test-deb-upgrade' mmdebstrap iproute2
	@PYTHON=$(VENV_PYTHON) sh mk/try_upgrade.sh "$(DEB_FILE)" $(CURDIR)/$(B)/try-upgrade/root $(SUITE)
