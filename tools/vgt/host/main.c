// SPDX-License-Identifier: MIT
/* vgtd: serves virtual GTs to OpenCL and Level Zero runtimes. */
#include "check/check.h"
#include "eu/division.h"
#include "eu/handler.h"
#include "gt/device.h"
#include "host/connection.h"
#include "host/log.h"
#include "host/offer.h"
#include "host/server.h"
#include "pci/door.h"
#include "tier/llvm.h"
#include "tier/store.h"
#include "tier/tier.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PORT_DEFAULT 4321

static const char usage[] =
	"usage: vgtd [OPTION]...\n"
	"Serve virtual Tiger Lake GTs to Intel's compute runtime (TBX mode).\n"
	"\n"
	"  --listen ADDR:PORT  where to listen (default 127.0.0.1:4321; port 0:\n"
	"                      any free one); the port is printed when it is open\n"
	"  --pci FD            be a PCI function of the QEMU at the other end of\n"
	"                      that socket, as its x-pci-proxy-dev; no listening\n"
	"  --qtest PATH        QEMU's qtest socket, for the function's interrupts\n"
	"  --threads N         host threads per GT (default: one per CPU)\n"
	"  --subslices N       as many of the GT's six are not fused off, of 16 EUs\n"
	"                      each; at the simulator's socket the runtime uses all\n"
	"  --log LEVEL         error, warn (default), info or debug\n"
	"  --once              end with the last connection, once one was used\n"
	"  --with-process PID  end when that process ends\n"
	"  --with-stdin        end when standard input is hung up, unless a\n"
	"                      connection was used by then\n"
	"  --watchdog SECONDS  stop a kernel that runs for longer\n"
	"  --fault=stop        a GPU page fault stops the GT (default: report)\n"
	"  --fault=halt        it sends its thread to the system routine at once\n"
	"  --engine=slow       reference paths of the EU engine only\n"
	"  --engine=compiled   compile what runs often (with libLLVM-14);\n"
	"                      compiled-always: whatever is reached, at once\n"
	"  --code-cache=DIR    where compiled code is kept for later (default with\n"
	"                      --engine=compiled: ~/.cache/gtdbg/code); none: nowhere\n"
	"  --all-turns         of a division in 64 bits run all 64 turns, and not\n"
	"                      only those that leave something\n"
	"  --check=LIST        look at what kernels access: bounds,races,\n"
	"                      uninit; writes: log them\n"
	"  --check-output=FILE add what is found to FILE, as JSON\n"
	"  --no-eu             launches complete without running anything\n"
	"  --gtdbg             offer GTs to the kernel module (default if its\n"
	"                      device /dev/gtdbg-vgt is there)\n"
	"  --no-gtdbg          do not\n";

struct arguments {
	struct vgt_options options;
	char address[64];
	uint16_t port;
	bool once;
	bool with_stdin;
	int process; /* pidfd, or -1 */
	int pci; /* socket, or -1 */
	enum vgt_tier_mode mode;
	const char *code_cache; /* NULL: the default, if any */
	uint32_t check; /* VGT_CHECK_* */
	const char *check_output;
};

enum {
	OPTION_LISTEN = 256,
	OPTION_PCI,
	OPTION_QTEST,
	OPTION_THREADS,
	OPTION_LOG,
	OPTION_ONCE,
	OPTION_WITH_PROCESS,
	OPTION_WITH_STDIN,
	OPTION_WATCHDOG,
	OPTION_FAULT,
	OPTION_ENGINE,
	OPTION_CODE_CACHE,
	OPTION_ALL_TURNS,
	OPTION_CHECK,
	OPTION_CHECK_OUTPUT,
	OPTION_SUBSLICES,
	OPTION_NO_EU,
	OPTION_GTDBG,
	OPTION_NO_GTDBG,
	OPTION_HELP,
};

static const struct option long_options[] = {
	{ "listen", required_argument, NULL, OPTION_LISTEN },
	{ "pci", required_argument, NULL, OPTION_PCI },
	{ "qtest", required_argument, NULL, OPTION_QTEST },
	{ "threads", required_argument, NULL, OPTION_THREADS },
	{ "subslices", required_argument, NULL, OPTION_SUBSLICES },
	{ "log", required_argument, NULL, OPTION_LOG },
	{ "once", no_argument, NULL, OPTION_ONCE },
	{ "with-process", required_argument, NULL, OPTION_WITH_PROCESS },
	{ "with-stdin", no_argument, NULL, OPTION_WITH_STDIN },
	{ "watchdog", required_argument, NULL, OPTION_WATCHDOG },
	{ "fault", required_argument, NULL, OPTION_FAULT },
	{ "engine", required_argument, NULL, OPTION_ENGINE },
	{ "code-cache", required_argument, NULL, OPTION_CODE_CACHE },
	{ "all-turns", no_argument, NULL, OPTION_ALL_TURNS },
	{ "check", required_argument, NULL, OPTION_CHECK },
	{ "check-output", required_argument, NULL, OPTION_CHECK_OUTPUT },
	{ "no-eu", no_argument, NULL, OPTION_NO_EU },
	{ "gtdbg", no_argument, NULL, OPTION_GTDBG },
	{ "no-gtdbg", no_argument, NULL, OPTION_NO_GTDBG },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ 0 },
};

static bool parse_number(const char *text, uint32_t max, uint32_t *out)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || value > max || *text == '-')
		return false;
	*out = (uint32_t)value;
	return true;
}

static bool parse_listen(const char *text, struct arguments *out)
{
	const char *colon = strrchr(text, ':');
	uint32_t port;

	if (!colon || colon - text >= (long)sizeof(out->address) ||
	    !parse_number(colon + 1, 65535, &port))
		return false;
	memcpy(out->address, text, colon - text);
	out->address[colon - text] = 0;
	out->port = (uint16_t)port;
	return true;
}

static bool parse_fault(const char *text, struct vgt_options *out)
{
	out->fault_stop = !strcmp(text, "stop");
	out->fault_halt = !strcmp(text, "halt");
	return out->fault_stop || out->fault_halt || !strcmp(text, "report");
}

static bool parse_engine(const char *text, struct arguments *out)
{
	static const struct {
		const char *name;
		bool slow;
		enum vgt_tier_mode mode;
	} engines[] = {
		{ "fast", false, VGT_TIER_OFF },
		{ "slow", true, VGT_TIER_OFF },
		{ "compiled", false, VGT_TIER_HOT },
		{ "compiled-always", false, VGT_TIER_ALWAYS },
	};

	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (strcmp(text, engines[i].name))
			continue;
		out->options.slow_engine = engines[i].slow;
		out->mode = engines[i].mode;
		/* Tests are the same on all machines. */
		if (out->mode == VGT_TIER_ALWAYS)
			vgt_llvm_narrow();
		return true;
	}
	return false;
}

static bool parse_process(const char *text, struct arguments *out)
{
	uint32_t pid;

	if (!parse_number(text, INT32_MAX, &pid))
		return false;
	out->process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (out->process < 0) {
		fprintf(stderr, "vgtd: process %u: %s\n", pid, strerror(errno));
		exit(1);
	}
	return true;
}

static bool parse_socket(const char *text, struct arguments *out)
{
	uint32_t fd;

	if (!parse_number(text, INT32_MAX, &fd))
		return false;
	out->pci = (int)fd;
	return true;
}

static bool parse_check(int option, const char *text, struct arguments *out)
{
	if (option == OPTION_CHECK)
		return vgt_check_parse(text, &out->check);
	out->check_output = text;
	return true;
}

/* Where the device is to be served. */
static bool parse_door(int option, const char *text, struct arguments *out)
{
	switch (option) {
	case OPTION_LISTEN:
		return parse_listen(text, out);
	case OPTION_PCI:
		return parse_socket(text, out);
	case OPTION_QTEST:
		out->options.qtest = text;
		return true;
	default:
		return false;
	}
}

static bool parse_option(int option, const char *text, struct arguments *out)
{
	enum vgt_log_level level;

	switch (option) {
	case OPTION_THREADS:
		return parse_number(text, 64, &out->options.threads);
	case OPTION_SUBSLICES:
		return parse_number(text, VGT_DSS, &out->options.subslices) &&
		       out->options.subslices;
	case OPTION_LOG:
		level = vgt_log_level_find(text);
		vgt_log_level_set(level);
		return level;
	case OPTION_ONCE:
		out->once = true;
		return true;
	case OPTION_WITH_PROCESS:
		return parse_process(text, out);
	case OPTION_WITH_STDIN:
		out->with_stdin = true;
		return true;
	case OPTION_WATCHDOG:
		return parse_number(text, 1000000, &out->options.watchdog_s);
	case OPTION_FAULT:
		return parse_fault(text, &out->options);
	case OPTION_ENGINE:
		return parse_engine(text, out);
	case OPTION_CODE_CACHE:
		out->code_cache = text;
		return *text;
	case OPTION_ALL_TURNS:
		vgt_division_after(UINT32_MAX);
		return true;
	case OPTION_CHECK:
	case OPTION_CHECK_OUTPUT:
		return parse_check(option, text, out);
	case OPTION_NO_EU:
		out->options.no_eu = true;
		return true;
	case OPTION_GTDBG:
	case OPTION_NO_GTDBG:
		out->options.offer = option == OPTION_GTDBG;
		return true;
	default:
		return parse_door(option, text, out);
	}
}

static void parse(int argc, char **argv, struct arguments *out)
{
	const char *level = getenv("VGT_LOG");
	int option;

	/* Of a vgtd that another program has started. */
	if (level && vgt_log_level_find(level))
		vgt_log_level_set(vgt_log_level_find(level));
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) !=
	       -1) {
		if (option == OPTION_HELP) {
			fputs(usage, stdout);
			exit(0);
		}
		if (!parse_option(option, optarg, out)) {
			if (option != '?')
				fprintf(stderr, "vgtd: bad value: %s\n",
					optarg ? optarg : "");
			fputs(usage, stderr);
			exit(2);
		}
	}
	if (optind != argc) {
		fprintf(stderr, "vgtd: what is %s?\n", argv[optind]);
		exit(2);
	}
}

/* SIGINT and SIGTERM end the program in order; a pipe or a limit of a file never does. */
static int signals_open(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

/* Hung up, or a file that has come to its end; what is typed is passed over. */
static bool input_is_over(short revents)
{
	char text[256];

	return revents & ~POLLIN ||
	       (revents && read(STDIN_FILENO, text, sizeof(text)) <= 0);
}

static void serve(struct vgt_server *server, int signals,
		  const struct arguments *arguments)
{
	struct pollfd wait[4] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = vgt_server_event(server), .events = POLLIN },
		{ .fd = arguments->process, .events = POLLIN },
		{ .fd = arguments->with_stdin ? STDIN_FILENO : -1,
		  .events = POLLIN },
	};

	for (;;) {
		if (poll(wait, 4, -1) < 0 && errno != EINTR)
			return;
		if (wait[0].revents || wait[2].revents)
			return;
		if (vgt_server_wait(server, 0) && !vgt_server_reap(server) &&
		    arguments->once && vgt_server_used(server))
			return;
		if (!input_is_over(wait[3].revents))
			continue;
		if (!vgt_server_used(server))
			return;
		wait[3].fd = -1;
	}
}

static void log_peak(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	vgt_log(VGT_LOG_INFO, "peak memory %ld KiB", usage.ru_maxrss);
}

/* Until QEMU ends, or somebody ends us. */
static int serve_pci(struct arguments *arguments, int signals)
{
	struct vgt_connection *connection;
	struct pollfd wait[3] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = eventfd(0, EFD_CLOEXEC), .events = POLLIN },
		{ .fd = arguments->process, .events = POLLIN },
	};
	int ret;

	arguments->options.offer = false;
	vgt_handler_slow(arguments->options.slow_engine);
	ret = wait[1].fd < 0 ? -errno :
	      vgt_connection_create(&vgt_pci_door, &arguments->options, 1,
				    arguments->pci, wait[1].fd, &connection);
	if (ret) {
		fprintf(stderr, "vgtd: no PCI function: %s\n", strerror(-ret));
		return 1;
	}
	while (poll(wait, 3, -1) < 0 && errno == EINTR)
		;
	vgt_connection_destroy(connection);
	return 0;
}

static int serve_programs(const struct arguments *arguments, int signals)
{
	struct vgt_server *server;
	int ret = vgt_server_create(&arguments->options, arguments->address,
				    arguments->port, &server);

	if (ret) {
		fprintf(stderr, "vgtd: cannot listen on %s:%u: %s\n",
			arguments->address, arguments->port, strerror(-ret));
		return 1;
	}
	printf("%u\n", vgt_server_port(server));
	fflush(stdout);
	serve(server, signals, arguments);
	vgt_server_destroy(server);
	return 0;
}

/*
 * Is it this user's own, or what it would be made in? Nothing is left in another one's,
 * as behind sudo.
 */
static bool is_own(const char *path)
{
	char parent[PATH_MAX];
	struct stat is;
	int ret;

	if (!path || *path != '/' || strlen(path) >= sizeof(parent))
		return false;
	strcpy(parent, path);
	while ((ret = stat(parent, &is)) && errno == ENOENT && strrchr(parent, '/') > parent)
		*strrchr(parent, '/') = 0;
	return !ret && is.st_uid == geteuid();
}

/* Where programs keep what can be made anew: false if there is no such place. */
static bool cache_folder(char *path, size_t bytes)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int count = -1;

	/* A relative one does not count. */
	if (cache && *cache == '/')
		count = is_own(cache) ? snprintf(path, bytes, "%s/gtdbg/code", cache) : -1;
	else if (is_own(home))
		count = snprintf(path, bytes, "%s/.cache/gtdbg/code", home);
	return count > 0 && (size_t)count < bytes;
}

/* One that was asked for has to be there. */
static bool start_store(const struct arguments *arguments)
{
	const char *named = arguments->code_cache, *folder = named;
	const char *why = "neither XDG_CACHE_HOME nor HOME is this user's";
	char path[PATH_MAX];

	if ((named && !strcmp(named, "none")) ||
	    (!named && arguments->mode != VGT_TIER_HOT))
		return true;
	if (!named && cache_folder(path, sizeof(path)))
		folder = path;
	if (folder && !vgt_store_open(folder, &why)) {
		vgt_log(VGT_LOG_INFO, "compiled code is kept in %s", folder);
		return true;
	}
	if (named)
		fprintf(stderr, "vgtd: --code-cache=%s: %s\n", named, why);
	else
		vgt_log(VGT_LOG_INFO, "compiled code is not kept: %s%s%s",
			folder ? folder : "", folder ? ": " : "", why);
	return !named;
}

static bool start_engine(const struct arguments *arguments)
{
	int ret = vgt_check_start(arguments->check, arguments->check_output);
	const char *why;

	if (arguments->check & VGT_CHECK_WRITES && !arguments->check_output) {
		fputs("vgtd: --check=writes needs --check-output=FILE\n",
		      stderr);
		return false;
	}
	if (ret) {
		fprintf(stderr, "vgtd: %s: %s\n", arguments->check_output,
			strerror(-ret));
		return false;
	}
	if (!start_store(arguments))
		return false;
	ret = vgt_tier_start(arguments->mode, &why);
	if (ret)
		fprintf(stderr, "vgtd: no compiled engine: %s\n", why);
	/* The interpreter does as well, unless what was asked for is not there. */
	return ret != -ENOSYS;
}

int main(int argc, char **argv)
{
	struct arguments arguments = {
		.address = "127.0.0.1",
		.port = PORT_DEFAULT,
		.process = -1,
		.pci = -1,
		.options.offer = vgt_offer_possible(),
	};
	int signals, ret;

	parse(argc, argv, &arguments);
	signals = signals_open();
	if (!start_engine(&arguments))
		return 1;
	if (arguments.pci >= 0)
		ret = serve_pci(&arguments, signals);
	else
		ret = serve_programs(&arguments, signals);
	log_peak();
	return ret;
}
