# Benchmarks that compare Vernis with its peers. BENCH_ARGS goes to the benchmark's program.
.PHONY: bench bench-calls bench-cores bench-filters bench-misses bench-conformance bench-dashboard bench-http2 bench-http2-attacks bench-http2-waiting bench-tls bench-packages bench-founding bench-idle bench-descriptors bench-objects bench-compile bench-rules bench-hooks bench-examples bench-corpus bench-logging bench-stages bench-lint bench-trial bench-versions bench-confined bench-memory bench-patterns bench-tables micro-tables micro-tls model-cores soak soak-beside-varnish

bench-packages: build
	@mk/install-packages.sh nginx varnish haproxy wrk
	@$(B)/venv/bin/python -c 'import matplotlib' 2>/dev/null || $(B)/venv/bin/pip install -q -r requirements-bench.txt

bench: bench-packages
	@$(B)/venv/bin/python benchmarks/hits.py $(BENCH_ARGS)

bench-calls: bench-packages
	@mk/install-packages.sh strace
	@$(B)/venv/bin/python benchmarks/calls.py $(BENCH_ARGS)

bench-misses: bench-packages
	@$(B)/venv/bin/python benchmarks/misses.py $(BENCH_ARGS)

# Loops on 1, 2, 4 ... cores. A machine with a copy of the build runs the program itself, without make and network.
bench-cores: build $(B)/bench/floor
	@mk/install-packages.sh nginx varnish haproxy wrk
	@$(B)/venv/bin/python benchmarks/cores.py $(BENCH_ARGS)

# The throughput of 64 cores by a simulation, from counts and costs of this checkout. MODEL_ARGS=--limits.
model-cores: build $(B)/counting/vernisd
	@mk/install-packages.sh wrk
	@PYTHONPATH=tests $(B)/venv/bin/python benchmarks/model_cores.py --count $(MODEL_ARGS)

$(B)/bench/%: benchmarks/%.c
	@mkdir -p $(@D)
	@$(CC) -O2 -o $@ $< -pthread

# The tests of 2008 to 2012. BENCH_ARGS="--quick" takes 3 minutes, all of it: docs/benchmarks.md.
bench-founding: bench-packages
	@mk/install-packages.sh apache2-utils squid lighttpd trafficserver apache2-bin
	@$(B)/venv/bin/python benchmarks/founding.py $(BENCH_ARGS)

bench-filters: bench-packages
	@$(B)/venv/bin/python benchmarks/filters.py $(BENCH_ARGS)

bench-idle: bench-packages
	@$(B)/venv/bin/python benchmarks/idle.py $(BENCH_ARGS)

bench-dashboard: bench-packages
	@mk/install-packages.sh nghttp2-client chromium chromium-driver
	@$(B)/venv/bin/python benchmarks/dashboard.py $(BENCH_ARGS)

# HTTP/2 over plain TCP beside HTTP/1 and the peers.
bench-http2: bench-packages
	@mk/install-packages.sh nghttp2-client nghttp2-server h2o curl
	@$(B)/venv/bin/python benchmarks/http2.py $(BENCH_ARGS)

# Hits and handshakes over TLS beside plain hits and the peers.
bench-tls: bench-packages $(B)/venv/.requirements-test
	@mk/install-packages.sh nghttp2-client hitch curl
	@$(B)/venv/bin/python benchmarks/tls.py $(BENCH_ARGS)

# Attackers of HTTP/2 beside good clients. About 40 minutes; BENCH_ARGS="--seconds 3" takes 6.
bench-http2-attacks: bench-packages $(B)/venv/.requirements-test
	@mk/install-packages.sh nghttp2-client
	@$(B)/venv/bin/python benchmarks/http2_attacks.py $(BENCH_ARGS)

# Good clients of HTTP/2 beside requests that wait for a slow origin.
bench-http2-waiting: bench-packages $(B)/venv/.requirements-test
	@mk/install-packages.sh nghttp2-client
	@$(B)/venv/bin/python benchmarks/http2_waiting.py $(BENCH_ARGS)

bench-descriptors: bench-packages
	@$(B)/venv/bin/python benchmarks/descriptors.py $(BENCH_ARGS)

bench-logging: bench-packages
	@$(B)/venv/bin/python benchmarks/log.py $(BENCH_ARGS)

bench-objects: bench-packages
	@$(B)/venv/bin/python benchmarks/objects.py $(BENCH_ARGS)

# Floods of objects, variants, bans and request bodies at 64 MB and 1 GB. About 20 minutes;
# BENCH_ARGS="--sizes 64m" takes 5.
bench-memory: bench-packages
	@$(B)/venv/bin/python benchmarks/memory.py $(BENCH_ARGS)

bench-compile: bench-packages
	@$(B)/venv/bin/python benchmarks/compile.py $(BENCH_ARGS)

# Half an hour; BENCH_ARGS="--rounds 1 --seconds 1 --sizes 1,1000" takes two minutes.
bench-rules: bench-packages
	@mk/install-packages.sh valgrind
	@$(B)/venv/bin/python benchmarks/rules.py $(BENCH_ARGS)

bench-hooks: bench-packages
	@mk/install-packages.sh valgrind
	@$(B)/venv/bin/python benchmarks/hooks.py $(BENCH_ARGS)

bench-examples: bench-packages
	@mk/install-packages.sh valgrind
	@$(B)/venv/bin/python benchmarks/examples.py $(BENCH_ARGS)

bench-stages: bench-packages
	@$(B)/venv/bin/python benchmarks/stages.py $(BENCH_ARGS)

bench-lint: build
	@$(B)/venv/bin/python benchmarks/lint.py $(BENCH_ARGS)

# BENCH_ARGS='--limit 2000' fails below 2,000 tests a second.
bench-trial: build
	@$(B)/venv/bin/python benchmarks/trial.py $(BENCH_ARGS)

bench-confined: bench-packages
	@$(B)/venv/bin/python benchmarks/confined.py $(BENCH_ARGS)

# Pattern sets beside PCRE2, RE2::Set and Hyperscan: benchmarks/micro_patterns.c. BENCH_ARGS=table, few or hostile.
bench-patterns: $(B)/release/match.a $(B)/release/base.a
	@$(if $(SKIP_PACKAGES),true,mk/install-packages.sh libre2-dev libhyperscan-dev)
	@mkdir -p $(B)/bench
	@g++ -O2 -c benchmarks/micro_patterns_re2.cc -o $(B)/bench/micro_patterns_re2.o
	@$(CC) $(CFLAGS_common) $(CFLAGS_release) -Ibenchmarks -I/usr/include/hs benchmarks/micro_patterns.c \
	  $(B)/bench/micro_patterns_re2.o $^ -o $(B)/bench/micro_patterns -lre2 -lhs -lstdc++ $(LIBS)
	@$(B)/bench/micro_patterns $(BENCH_ARGS)

# Tables of policies beside maps of nginx and HAProxy, and replaced under load.
bench-tables: bench-packages
	@$(B)/venv/bin/python benchmarks/tables.py $(BENCH_ARGS)

# Look-ups in tables of a million rows: benchmarks/micro_tables.c. BENCH_ARGS=ROWS.
micro-tables: $(B)/release/match.a $(B)/release/base.a
	@mkdir -p $(B)/bench
	@$(CC) $(CFLAGS_common) $(CFLAGS_release) benchmarks/micro_tables.c $^ -o $(B)/bench/micro_tables $(LIBS)
	@$(B)/bench/micro_tables $(BENCH_ARGS)

# OpenSSL, or AWS-LC of AWSLC=DIR, in memory: benchmarks/micro_tls.c. DIR has include/ and lib/ with static libraries.
micro-tls:
	@mkdir -p $(B)/bench
	@$(CC) $(if $(AWSLC),-I'$(AWSLC)/include') $(CFLAGS_common) $(CFLAGS_release) benchmarks/micro_tls.c -o $(B)/bench/micro_tls \
	  $(if $(AWSLC),-L'$(AWSLC)/lib' -l:libssl.a -l:libcrypto.a,-lssl -lcrypto)
	@$(B)/bench/micro_tls $(BENCH_ARGS)

# Compares with another built checkout of Vernis: make bench-versions OTHER=dir.
bench-versions: bench-packages
	@mk/install-packages.sh valgrind
	@$(B)/venv/bin/python benchmarks/versions.py $(or $(OTHER),$(error usage: make bench-versions OTHER=folder)) $(BENCH_ARGS)

# Real policies of third parties, from a manifest and the folder with their rebuilt files.
bench-corpus: build
	@test -n "$(MANIFEST)" -a -n "$(CORPUS)" || { echo 'usage: make bench-corpus MANIFEST=table.tsv CORPUS=folder'; exit 2; }
	@$(B)/venv/bin/python benchmarks/corpus.py $(MANIFEST) $(CORPUS) $(BENCH_ARGS)

# The public suite of HTTP cache tests: SUITE=DIR is a checkout of github.com/http-tests/cache-tests. Fails if
# a test of the ledger no longer passes; LEDGER=update writes the passing tests to the ledger.
bench-conformance: build
	@test -n '$(SUITE)' || { echo 'make bench-conformance: SUITE=DIR is missing: a checkout of github.com/http-tests/cache-tests' >&2; exit 2; }
	@$(B)/venv/bin/python benchmarks/conformance.py '$(SUITE)' $(if $(filter update,$(LEDGER)),--update) $(BENCH_ARGS)

# All features at once under load, with every byte checked: benchmarks/soak.py. BENCH_ARGS='--build asan
# --connections 60' runs it with the sanitizers of `make build/asan/vernisd`. The second target replays one
# trace to Vernis and to Varnish.
SOAK_SECONDS ?= 1800
soak: build
	@$(B)/venv/bin/python benchmarks/soak.py --seconds $(SOAK_SECONDS) $(BENCH_ARGS)

soak-beside-varnish: bench-packages
	@$(B)/venv/bin/python benchmarks/soak.py --beside-varnish $(BENCH_ARGS)
