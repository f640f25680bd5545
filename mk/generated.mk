# C headers generated from facts that Python and C share (compiler/version.py, compiler/observe/reason_texts.py,
# compiler/observe/identifying.py,
# runtime/manager/options.toml, runtime/log/metrics.toml, runtime/log/tags.txt) and from the page of the dashboard.

$(B)/gen/version.h: compiler/version.py mk/generated.mk
	@mkdir -p $(@D)
	@echo '  GEN $@'
	@sed -n 's/^VERSION = \(".*"\)$$/#define VERNIS_VERSION \1/p' $< > $@.new && test -s $@.new && mv $@.new $@

$(B)/gen/metric_names.h: runtime/log/metrics.toml mk/metrics.py
	@mkdir -p $(@D)
	@echo '  GEN $@'
	@$(PYTHON) mk/metrics.py $< $@.new && mv $@.new $@

$(B)/gen/log_tags.h: runtime/log/tags.txt mk/log_tags.py
	@mkdir -p $(@D)
	@echo '  GEN $@'
	@$(PYTHON) mk/log_tags.py $< $@.new && mv $@.new $@

$(B)/gen/reason_texts.h: compiler/observe/reason_texts.py grammar/builtin.vcl mk/reasons.py
	@mkdir -p $(@D)
	@echo '  GEN $@'
	@$(PYTHON) mk/reasons.py $(filter-out mk/%,$^) $@.new && mv $@.new $@

$(B)/gen/identifying_names.h: compiler/observe/identifying.py mk/identifying.py
	@mkdir -p $(@D)
	@echo '  GEN $@'
	@$(PYTHON) mk/identifying.py $< $@.new && mv $@.new $@

$(B)/gen/option_rows.h: runtime/manager/options.toml mk/options.py
	@mkdir -p $(@D)
	@echo '  GEN $@'
	@$(PYTHON) mk/options.py $< $@.new && mv $@.new $@

DASHBOARD_PAGES := $(addprefix runtime/manager/dashboard/page/,index.html dashboard.css dashboard.js icon.svg)
$(B)/gen/dashboard_pages.h: $(DASHBOARD_PAGES) mk/embed.py
	@mkdir -p $(@D)
	@echo '  GEN $@'
	@$(PYTHON) mk/embed.py $@.new $(DASHBOARD_PAGES) && mv $@.new $@

generated: $(B)/gen/version.h $(B)/gen/metric_names.h $(B)/gen/log_tags.h $(B)/gen/option_rows.h \
           $(B)/gen/reason_texts.h $(B)/gen/identifying_names.h $(B)/gen/dashboard_pages.h
