// SPDX-License-Identifier: MIT
#include "cmd.h"

#include <gtdbg.h>
#include <stdio.h>

/* The module may well be absent: that is no failure of this command. */
int cmd_version(int argc, char **argv)
{
	struct gtdbg_info info;
	struct gtdbg *gtdbg;

	if (argc > 1)
		return cmd_usage("version", argv[1]);

	printf("gtdbgctl %s, interface %d\n", gtdbg_version(),
	       GTDBG_UAPI_VERSION);
	if (gtdbg_open(NULL, &gtdbg) < 0) {
		puts("module: not available (see gtdbgctl doctor)");
		return CMD_OK;
	}
	if (gtdbg_info(gtdbg, &info) == 0)
		printf("module: interface %u, features 0x%llx, build %.*s\n",
		       info.uapi_version, (unsigned long long)info.features,
		       (int)sizeof(info.build_id), info.build_id);
	gtdbg_close(gtdbg);
	return CMD_OK;
}
