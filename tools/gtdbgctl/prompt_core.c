// SPDX-License-Identifier: MIT
#include "prompt.h"

#include "core.h"
#include "debugger.h"

#include <stdlib.h>
#include <string.h>

/* generate-core-file [OPTION...] [FILE]; the file's name may have spaces. */
int prompt_generate_core(struct debugger *debugger, const char *args)
{
	struct core_options options = { 0 };
	char *text, *rest, *word;
	int ret = 0;

	if (debugger_need_session(debugger))
		return -1;
	text = strdup(args);
	if (!text)
		return fail(debugger, "Out of memory.");
	for (rest = text; *rest == '-' && !ret; ) {
		int at = 0;

		word = rest;
		rest += strcspn(rest, " \t");
		if (*rest)
			*rest++ = 0;
		rest += strspn(rest, " \t");
		if (!core_options_parse(1, &word, &at, &options))
			ret = fail(debugger, "Invalid option \"%s\".", word);
	}
	if (*rest)
		options.path = rest;
	if (!ret)
		ret = core_write(debugger, &options);
	free(text);
	return ret;
}
