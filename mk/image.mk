# `make image` builds the image of Containerfile with buildah. Without BASE it takes Debian's image from a
# registry; `make image-base` makes one with mmdebstrap, from packages only, and prints its name for BASE.
# IMAGE_ARGS goes to buildah. `make test-image` runs the image as its documentation says.
IMAGE       ?= localhost/vernis
IMAGE_BASE  := localhost/vernis-base
IMAGE_SUITE  = $(or $(SUITE),bookworm)
PODMAN_ARGS ?=
RUN_ARGS    ?=
PACKAGES_IMAGE := buildah podman crun

.PHONY: image image-base test-image packages-image
packages-image:
	$(INSTALL) -f 'make image' $(PACKAGES_IMAGE)

# chroot isolation needs no rights that a build in a container lacks. Only the docker format has health
# checks.
image: packages-image
	@buildah build --isolation chroot --format docker --layers \
	  $(if $(BASE),--build-arg BASE=$(BASE)) $(IMAGE_ARGS) -t $(IMAGE) .
	@buildah images --format '{{.Name}} {{.Size}}' $(IMAGE)

image-base: packages-image
	@$(if $(SKIP_PACKAGES),true,sh mk/install-packages.sh -f 'make image-base' mmdebstrap)
	@mkdir -p $(B)/image
	@mmdebstrap --quiet --variant=minbase $(IMAGE_SUITE) $(B)/image/base.tar </dev/null
	@podman import --quiet $(B)/image/base.tar $(IMAGE_BASE):$(IMAGE_SUITE) >/dev/null
	@rm -f $(B)/image/base.tar
	@echo 'make image BASE=$(IMAGE_BASE):$(IMAGE_SUITE)'

# PODMAN_ARGS and RUN_ARGS go to podman and to `podman run`: where crun cannot use the machine's control groups,
# PODMAN_ARGS='--runtime runc'.
test-image: $(B)/venv/.requirements-test
	@IMAGE=$(IMAGE) PODMAN_ARGS='$(PODMAN_ARGS)' RUN_ARGS='$(RUN_ARGS)' \
	  $(VENV_PYTHON) -m pytest $(PYTEST_ARGS) tests/proxy/test_image.py
