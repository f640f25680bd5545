# Lines that the unit tests of a room reach: `make coverage ROOM=proxy`. Builds the rooms up to it without optimisation, with gcov's
# counters; the annotated sources are left in build/gcov/report.

.PHONY: coverage
coverage:
	@find $(B)/gcov -name '*.gcda' -delete 2> /dev/null || true
	@$(MAKE) --no-print-directory unit ROOM=$(ROOM) VARIANT=gcov
	@mkdir -p $(B)/gcov/report
	@gcov $$(find $(B)/gcov/$(ROOM) -name '*.gcda') 2> /dev/null | tr -d "'" | \
	  awk '/^File runtime\/$(ROOM)\//{ f = $$2 } /^Lines/ && f != "" { sub("Lines executed:", ""); print "  " f, $$0; f = "" }' | sort
	@mv -f *.gcov $(B)/gcov/report
