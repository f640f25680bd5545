/* The installed tools that read the log (varnishlog and its kin). */
#ifndef VERNIS_MANAGER_LOG_TOOLS_H
#define VERNIS_MANAGER_LOG_TOOLS_H

#define LOG_FORM_PARAM "vsl_7_3"

/* Makes "on" the default of this parameter if varnishlog in PATH is of Varnish 7.3 or later, and logs it.
 * Does nothing without varnishlog, and if it does not tell its release within a second. */
void log_tools_choose_form(void);

#endif
