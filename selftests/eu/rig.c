// SPDX-License-Identifier: MIT
#include "rig.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>

#include "eu/eu.h"
#include "gt/attention.h"
#include "gt/device.h"
#include "gt/pool.h"
#include "host/server.h"
#include "tap.h"

#define DEADLINE_MS 300000
/* STATE_BASE_ADDRESS, and where it has the base of instructions. */
#define BASE_COMMAND 0x61010014U
#define BASE_INSTRUCTION 40
#define BASE_ADDRESS 0x0000fffffffff000ULL
#define ENDLESS_MARK 0x57a7c0deU /* see launch.c */
#define COOKIE_DWORD0 0x40000061U /* mov, with the breakpoint bit */
#define COOKIE_DWORD1 0x00014220U /* (1|M0) null:ud, an immediate */

static char build[256];

void rig_init(const char *build_folder)
{
	snprintf(build, sizeof(build), "%s", build_folder);
	signal(SIGPIPE, SIG_IGN);
}

uint64_t rig_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void doze(void)
{
	struct timespec nap = { .tv_nsec = 200000 };

	nanosleep(&nap, NULL);
}

void rig_wait_ms(int ms)
{
	struct timespec nap = { .tv_nsec = ms * 1000000L };

	nanosleep(&nap, NULL);
}

static bool copy(const char *from, const char *to, bool activate)
{
	char bytes[65536];
	FILE *in = fopen(from, "r"), *out = fopen(to, "w");
	size_t len;
	bool ok;

	if (!in || !out)
		return false;
	len = fread(bytes, 1, sizeof(bytes), in);
	if (activate && len > GTDBG_SIP_CONTROL_FLAGS)
		bytes[GTDBG_SIP_CONTROL_FLAGS] |= GTDBG_SIP_CONTROL_F_ACTIVE;
	ok = fwrite(bytes, 1, len, out) == len;
	fclose(in);
	return !fclose(out) && ok;
}

/* The SIP's folder: no dots in its path, the runtime would cut it there. */
static bool sip_prepare(struct rig *rig)
{
	const struct rig_options *options = rig->options;
	char from[512], to[128];

	strcpy(rig->folder, "/tmp/gtdbg-eu-XXXXXX");
	if (!mkdtemp(rig->folder))
		return false;
	snprintf(from, sizeof(from), "%s/../../sip/gen12lp.bin", build);
	snprintf(to, sizeof(to), "%s/sip.bin", rig->folder);
	if (!copy(options->sip_file ? options->sip_file : from, to, false))
		return false;
	snprintf(from, sizeof(from), "%s/../../sip/gen12lp_header.bin", build);
	snprintf(to, sizeof(to), "%s/sip_header.bin", rig->folder);
	return copy(from, to, !options->inactive);
}

static void env_set(const char *name, const char *format, const char *value)
{
	char text[512];

	snprintf(text, sizeof(text), format, value);
	setenv(name, text, 1);
}

static void child_env(const struct rig *rig)
{
	char port[16], source[512];

	snprintf(port, sizeof(port), "%u", vgt_server_port(rig->server));
	setenv("NEOReadDebugKeys", "1", 1);
	setenv("SetCommandStreamReceiver", "2", 1);
	setenv("ProductFamilyOverride", "tgllp", 1);
	setenv("TbxPort", port, 1);
	setenv("OCL_ICD_VENDORS", "/etc/OpenCL/vendors/intel.icd", 1);
	setenv("EU_TEST_OPTIMISE", rig->options->optimise ? "1" : "0", 1);
	setenv("EU_TEST_OPTIONS", rig->options->compiler ?
	       rig->options->compiler : "", 1);
	snprintf(source, sizeof(source), "%s/%s", build, rig->options->source ?
		 rig->options->source : "kernels.cl");
	setenv("EU_TEST_KERNELS", source, 1);
	env_set("EU_TEST_ELF", "%s/elf", rig->folder);
	env_set("EU_TEST_RESULT", "%s/result", rig->folder);
	env_set("LD_LIBRARY_PATH", "%s/hook", build);
	gate_env(&rig->gate);
	if (rig->options->sip == SIP_OURS)
		env_set("LoadBinarySipFromFile", "%s/sip.bin", rig->folder);
	if (rig->options->sip == SIP_BINDLESS)
		setenv("UseBindlessDebugSip", "1", 1);
}

static void child_exec(const struct rig *rig)
{
	const struct rig_options *options = rig->options;
	char path[512], items[16], local[16], times[16];

	signal(SIGPIPE, SIG_DFL);
	child_env(rig);
	/* What it says when it is killed on purpose is no news. */
	if (!getenv("EU_TEST_VERBOSE") && !freopen("/dev/null", "w", stderr))
		_exit(127);
	snprintf(path, sizeof(path), "%s/launch", build);
	snprintf(items, sizeof(items), "%u", options->items);
	snprintf(local, sizeof(local), "%u", options->local);
	snprintf(times, sizeof(times), "%u",
		 options->times ? options->times : 1);
	execl(path, path, options->kernel, items, local, times, NULL);
	_exit(127);
}

bool rig_start(struct rig *rig, const struct rig_options *options)
{
	struct vgt_options server = { .watchdog_s = options->watchdog_s };

	memset(rig, 0, sizeof(*rig));
	rig->options = options;
	rig->driver.sip = options->sip;
	rig->driver.table = rig->table;
	rig->gate.fd = rig->gate.program_fd = -1;
	if (options->gated && !tap_expect(gate_init(&rig->gate), "no gate"))
		return false;
	if (!tap_expect(sip_prepare(rig), "cannot set up the SIP's files") ||
	    !tap_expect(!vgt_server_create(&server, NULL, 0, &rig->server),
			"cannot start the server"))
		return false;
	fflush(stdout);
	rig->pid = fork();
	if (!rig->pid)
		child_exec(rig);
	gate_started(&rig->gate);
	return tap_expect(rig->pid > 0, "cannot fork");
}

bool rig_ended_now(struct rig *rig)
{
	if (rig->pid && waitpid(rig->pid, &rig->status, WNOHANG) == rig->pid)
		rig->pid = 0;
	return !rig->pid;
}

uint32_t rig_look(struct rig *rig, struct stop *out)
{
	if (!rig->driver.device &&
	    !vgt_server_devices(rig->server, &rig->driver.device, 1))
		return 0;
	return driver_stops(&rig->driver, out, DRIVER_THREADS);
}

bool rig_stops(struct rig *rig, int count, struct stop *out, uint32_t *n_out)
{
	uint64_t deadline = rig_now_ms() + DEADLINE_MS;
	uint32_t wanted = count < 0 ? 1 : (uint32_t)count, n;

	while ((n = rig_look(rig, out)) < wanted) {
		if (!tap_expect(!rig_ended_now(rig),
				"%s ended with status 0x%x while %u threads were stopped, not %u",
				rig->options->kernel, rig->status, n, wanted) ||
		    !tap_expect(rig_now_ms() < deadline,
				"%s: %u threads stopped in time, not %u",
				rig->options->kernel, n, wanted))
			return false;
		doze();
	}
	*n_out = n;
	return tap_expect(count < 0 || n == wanted,
			  "%s: %u threads stopped, not %u",
			  rig->options->kernel, n, wanted);
}

bool rig_stopped(struct rig *rig, struct stop *out)
{
	static struct stop stops[DRIVER_THREADS];
	uint32_t n;

	if (!rig_stops(rig, 1, stops, &n))
		return false;
	*out = stops[0];
	return tap_expect(out->cause == CAUSE_BREAKPOINT, "cause 0x%x",
			  out->cause);
}

uint64_t rig_executed_so_far(struct rig *rig, const struct stop *stop)
{
	return vgt_pool_slot(rig->driver.device->pool,
			     stop->slot)->instructions;
}

uint64_t rig_executed(struct rig *rig, const struct stop *stop)
{
	struct vgt_eu_thread *thread =
		vgt_pool_slot(rig->driver.device->pool, stop->slot);

	/* Attention is raised before that is counted. */
	while (atomic_load(&thread->worker->reader.entered))
		rig_wait_ms(1);
	return thread->instructions;
}

bool rig_registers(struct rig *rig, const struct stop *stop, uint8_t *out)
{
	bool ok = driver_slot_read(&rig->driver, stop->slot, 0, out,
				   GTDBG_SIP_SLOT_DBG);

	memset(out + GTDBG_SIP_SLOT_TM, 0, 16);
	return ok;
}

/* Does the command at @va set a base that puts a kernel's entry at @ip? */
static bool base_here(struct driver *driver, uint64_t va, uint32_t ip)
{
	uint32_t dwords[2];
	uint64_t base;

	if (!driver_read(driver, va + BASE_INSTRUCTION, &base, sizeof(base)))
		return false;
	base &= BASE_ADDRESS;
	if (!driver_read(driver, base + ip, dwords, sizeof(dwords)) ||
	    dwords[0] != COOKIE_DWORD0 || dwords[1] != COOKIE_DWORD1)
		return false;
	driver->base = base;
	return true;
}

/*
 * Batches say where instructions begin. The entry alone could as well be the
 * runtime's own copy of a kernel, in a page that a host pointer has mapped.
 */
static bool base_find(struct driver *driver, uint32_t ip)
{
	uint32_t page[1024];
	uint64_t va = 0;

	for (; driver_next_page(driver, va, &va); va += 4096) {
		if (!driver_read(driver, va, page, sizeof(page)))
			continue;
		for (uint32_t i = 0; i < 1024; i++)
			if (page[i] == BASE_COMMAND &&
			    base_here(driver, va + 4 * i, ip))
				return true;
	}
	return false;
}

bool rig_lift(struct rig *rig, const struct stop *stop)
{
	struct driver *driver = &rig->driver;

	if (!tap_expect(base_find(driver, stop->ip),
			"no kernel with a cookie at its entry 0x%x", stop->ip))
		return false;
	driver_breakpoint(driver, driver->base + stop->ip, false);
	driver_invalidate(driver);
	return true;
}

bool rig_go(struct rig *rig, const struct stop *stops, uint32_t count,
	    bool step)
{
	for (uint32_t i = 0; i < count; i++)
		if (!tap_expect(driver_command(&rig->driver, stops[i].slot,
					       step),
				"slot %u is not mapped", stops[i].slot))
			return false;
	driver_release(&rig->driver, stops, count);
	return true;
}

bool rig_ended(struct rig *rig, int timeout_ms)
{
	static struct stop stops[DRIVER_THREADS];
	uint64_t deadline = rig_now_ms() + (uint64_t)timeout_ms;

	while (!rig_ended_now(rig)) {
		rig_look(rig, stops);
		if (!tap_expect(rig_now_ms() < deadline, "%s has not ended",
				rig->options->kernel))
			return false;
		doze();
	}
	return true;
}

bool rig_end(struct rig *rig, int status)
{
	static struct stop stops[DRIVER_THREADS];
	uint64_t deadline = rig_now_ms() + DEADLINE_MS;
	uint32_t n;

	while (!rig_ended_now(rig)) {
		n = rig_look(rig, stops);
		if (n && !rig_go(rig, stops, n, false))
			return false;
		if (!tap_expect(rig_now_ms() < deadline, "%s has not ended",
				rig->options->kernel))
			return false;
		if (!n)
			doze();
	}
	return tap_expect(WIFEXITED(rig->status) &&
			  WEXITSTATUS(rig->status) == status,
			  "%s ended with status 0x%x, not %d",
			  rig->options->kernel, rig->status, status);
}

bool rig_attention(struct rig *rig)
{
	uint64_t deadline = rig_now_ms() + 5000;

	while (!driver_waits(&rig->driver)) {
		if (!tap_expect(rig_now_ms() < deadline, "no attention"))
			return false;
		doze();
	}
	return true;
}

bool rig_left(struct rig *rig, uint64_t count)
{
	static struct stop stops[DRIVER_THREADS];
	uint64_t deadline = rig_now_ms() + DEADLINE_MS;
	struct vgt_attention_totals totals = { 0 };

	for (;;) {
		rig_look(rig, stops);
		if (rig->driver.device)
			vgt_attention_totals(rig->driver.device, &totals);
		if (totals.entries >= count && totals.exits == totals.entries)
			return true;
		if (!tap_expect(rig_now_ms() < deadline,
				"%llu entries into the SIP, %llu exits",
				(unsigned long long)totals.entries,
				(unsigned long long)totals.exits))
			return false;
		doze();
	}
}

bool rig_loop_end(struct rig *rig)
{
	uint32_t word, one = 1;
	uint64_t va = 0;

	for (; driver_next_page(&rig->driver, va, &va); va += 4096)
		if (driver_read(&rig->driver, va, &word, 4) &&
		    word == ENDLESS_MARK)
			return tap_expect(driver_write(&rig->driver, va, &one,
						       4),
					  "the input is not mapped");
	return tap_expect(false, "the input is nowhere");
}

bool rig_result(struct rig *rig, int32_t *out, uint32_t items)
{
	char path[128];
	FILE *file;
	size_t n = 0;

	snprintf(path, sizeof(path), "%s/result", rig->folder);
	file = fopen(path, "r");
	if (file) {
		n = fread(out, 4, items, file);
		fclose(file);
	}
	return tap_expect(n == items, "%zu results, not %u", n, items);
}

static void folder_remove(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	char name[512];

	while (folder && (entry = readdir(folder))) {
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		unlink(name);
	}
	if (folder)
		closedir(folder);
	rmdir(path);
}

void rig_stop(struct rig *rig)
{
	if (rig->pid) {
		kill(rig->pid, SIGKILL);
		waitpid(rig->pid, &rig->status, 0);
	}
	if (rig->server)
		vgt_server_destroy(rig->server);
	gate_fini(&rig->gate);
	if (rig->folder[0])
		folder_remove(rig->folder);
}
