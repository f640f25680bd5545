# The parameters: mk/params.py turns rows of the rooms' params.toml into struct params, its defaults, and the
# table of param.show. Make tracks the stamp; an unchanged header keeps its time.

PARAM_ROWS := $(wildcard runtime/*/params.toml)

$(B)/gen/params.stamp: mk/params.py grammar/no_effect.toml $(PARAM_ROWS)
	@mkdir -p $(@D)
	@echo '  GEN $(B)/gen/param_rows.h'
	@$(PYTHON) mk/params.py --runtime runtime --groups grammar/no_effect.toml --out $(B)/gen
	@touch $@

PARAM_HEADERS := $(addprefix $(B)/gen/,param_values.h param_defaults.h param_rows.h)
$(PARAM_HEADERS): $(B)/gen/params.stamp ;

generated: $(PARAM_HEADERS)
