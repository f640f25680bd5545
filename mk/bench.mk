# Side-by-side benchmarks with the peers; each is one command. BENCH_ARGS goes to benchmarks/hits.py.
.PHONY: bench bench-packages bench-idle bench-objects bench-compile

bench-packages: build
	@mk/install-packages.sh nginx varnish haproxy wrk
	@$(B)/venv/bin/python -c 'import matplotlib' 2>/dev/null || $(B)/venv/bin/pip install -q -r requirements-bench.txt

bench: bench-packages
	@$(B)/venv/bin/python benchmarks/hits.py $(BENCH_ARGS)

bench-idle: bench-packages
	@$(B)/venv/bin/python benchmarks/idle.py $(BENCH_ARGS)

bench-objects: bench-packages
	@$(B)/venv/bin/python benchmarks/objects.py $(BENCH_ARGS)

bench-compile: bench-packages
	@$(B)/venv/bin/python benchmarks/compile.py $(BENCH_ARGS)
