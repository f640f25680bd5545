# `make deb` makes build/deb/vernis_VERSION_ARCH.deb of what `make build` made: packaging/README.md. `make
# test-deb` installs it on a bare Debian (SUITE) with systemd as init: mk/try_package.sh.
PACKAGES_DEB := debhelper dh-python lintian fakeroot
DEB          := $(B)/deb
# Packagers name themselves in DEBEMAIL, such as 'Name <name@host>'.
DEBEMAIL     ?= $(shell sed -n 's/^Maintainer: //p' packaging/debian/control)
DEB_VERSION   = $(shell sed -n 's/^VERSION = "\(.*\)"$$/\1/p' compiler/version.py)-1~$(shell . /etc/os-release && echo $$ID$$VERSION_ID)

.PHONY: deb test-deb
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
	@sh mk/try_package.sh "$$(ls $(CURDIR)/$(DEB)/vernis_*.deb)" $(CURDIR)/$(B)/try-deb/root $(if $(filter file,$(origin SUITE)),,$(SUITE))
