# Line coverage of a room by its unit tests: `make coverage ROOM=proxy`. Builds the room and the rooms to its
# left without optimisation, with gcov's counters. Annotated sources are in build/gcov/report.

.PHONY: coverage
coverage:
	@find $(B)/gcov -name '*.gcda' -delete 2> /dev/null || true
	@$(MAKE) --no-print-directory unit ROOM=$(ROOM) VARIANT=gcov
	@mkdir -p $(B)/gcov/report
	@gcov $$(find $(B)/gcov/$(ROOM) -name '*.gcda') 2> /dev/null | tr -d "'" | \
	  awk '/^File runtime\/$(ROOM)\//{ f = $$2 } /^Lines/ && f != "" { sub("Lines executed:", ""); print "  " f, $$0; f = "" }' | sort
	@mv -f *.gcov $(B)/gcov/report
