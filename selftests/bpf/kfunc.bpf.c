// SPDX-License-Identifier: GPL-2.0-only
/* Asks the module for more of a stopped thread, and answers for the debugger. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "gtdbg.bpf.h"

int pid;
__u32 set, offset; /* of the registers that are read */
__u64 address; /* of the memory */
__u32 answer;

__u32 asked;
int register_ret, memory_ret, name_ret, short_ret;
__u32 registers[2];
__u8 memory[64];
char name[64];
char short_name[4];

SEC("tp_btf/gtdbg_stop_verdict")
int BPF_PROG(ask, const struct gtdbg_stop_verdict *verdict,
	     struct gtdbg_stop *stop)
{
	if (!verdict || !stop || verdict->pid != pid)
		return 0;
	asked++;
	register_ret = gtdbg_stop_registers(stop, set, offset, registers,
					    sizeof(registers));
	memory_ret = gtdbg_stop_memory(stop, address, memory, sizeof(memory));
	name_ret = gtdbg_stop_kernel(stop, name, sizeof(name));
	short_ret = gtdbg_stop_kernel(stop, short_name, sizeof(short_name));
	gtdbg_stop_decide(stop, answer);
	return 0;
}

/* Memory of its own, as large as what it should be: nothing may take that. */
__u8 forged[65536];

SEC("?tp_btf/gtdbg_stop_verdict")
int BPF_PROG(forge, const struct gtdbg_stop_verdict *verdict,
	     struct gtdbg_stop *stop)
{
	gtdbg_stop_decide((void *)forged, answer);
	return 0;
}

/* Nor may it be of another size than it says. */
SEC("?tp_btf/gtdbg_stop_verdict")
int BPF_PROG(overrun, const struct gtdbg_stop_verdict *verdict,
	     struct gtdbg_stop *stop)
{
	char two[2];

	if (stop)
		gtdbg_stop_memory(stop, address, two, 4096);
	return two[1];
}

char LICENSE[] SEC("license") = "GPL";
