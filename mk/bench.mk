# Side-by-side benchmarks with the peers; each is one command. BENCH_ARGS goes to benchmarks/hits.py.
.PHONY: bench bench-packages bench-idle bench-objects bench-compile bench-corpus bench-logging bench-stages

bench-packages: build
	@mk/install-packages.sh nginx varnish haproxy wrk
	@$(B)/venv/bin/python -c 'import matplotlib' 2>/dev/null || $(B)/venv/bin/pip install -q -r requirements-bench.txt

bench: bench-packages
	@$(B)/venv/bin/python benchmarks/hits.py $(BENCH_ARGS)

bench-idle: bench-packages
	@$(B)/venv/bin/python benchmarks/idle.py $(BENCH_ARGS)

bench-logging: bench-packages
	@$(B)/venv/bin/python benchmarks/log.py $(BENCH_ARGS)

bench-objects: bench-packages
	@$(B)/venv/bin/python benchmarks/objects.py $(BENCH_ARGS)

bench-compile: bench-packages
	@$(B)/venv/bin/python benchmarks/compile.py $(BENCH_ARGS)

bench-stages: bench-packages
	@$(B)/venv/bin/python benchmarks/stages.py $(BENCH_ARGS)

# Real policies by other people, from a manifest and the folder they were rebuilt to.
bench-corpus: build
	@test -n "$(MANIFEST)" -a -n "$(CORPUS)" || { echo 'usage: make bench-corpus MANIFEST=table.tsv CORPUS=folder'; exit 2; }
	@$(B)/venv/bin/python benchmarks/corpus.py $(MANIFEST) $(CORPUS) $(BENCH_ARGS)
