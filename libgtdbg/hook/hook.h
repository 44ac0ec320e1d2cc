/* SPDX-License-Identifier: MIT */
/*
 * The hook library: it sits in a program that uses the GPU and reports to the
 * kernel module what the runtime compiles. It must never harm that program:
 * whatever fails is said once on stderr, and the program runs undebugged.
 */
#ifndef GTDBG_HOOK_H
#define GTDBG_HOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gtdbg_hook_stock {
	GTDBG_HOOK_STOCK_NONE = 0,
	GTDBG_HOOK_STOCK_BINDFUL = 1, /* GTDBG_SIP_STOCK=bindful */
	GTDBG_HOOK_STOCK_BINDLESS = 2, /* GTDBG_SIP_STOCK=bindless */
};

/**
 * struct gtdbg_hook_config - what the environment and /etc/gtdbg.conf ask for
 * @is_active: debug this program (GTDBG=1, "active = 1")
 * @bad_line: line of the file that cannot be understood, 0: none
 * @wait_ms: hold the program until a debugger is there (GTDBG_WAIT_MS,
 *	"wait_ms = N"), at most so long; 0: do not wait
 * @notify: name of an abstract socket that wants to know of the client
 *	(GTDBG_NOTIFY), empty: none
 * @sip: our system routine (GTDBG_SIP, "sip = PATH"), empty: the runtime's own
 * @stock: have one of Intel's loaded all the same, so that its save areas say whose
 *	they are (GTDBG_SIP_STOCK); the header of @sip is taken for it
 * @sip_copy: where the runtime will look for it (LoadBinarySipFromFile)
 * @sip_folder: where to make a folder for it (GTDBG_SIP_FOLDER), if @sip_copy
 *	is below /proc/self/fd
 * @vgtd: virtual GPU to start if there is no other (GTDBG_VGTD, "vgtd = PATH")
 * @tbx_port: port at which the runtime will look for that (TbxPort)
 * @optimize: leave the compiler's optimisation on (GTDBG_OPTIMIZE=1)
 */
struct gtdbg_hook_config {
	bool is_active;
	unsigned int bad_line;
	uint64_t wait_ms;
	char notify[100];
	char sip[4096];
	enum gtdbg_hook_stock stock;
	char sip_copy[4096];
	char sip_folder[4000];
	char vgtd[4096];
	uint16_t tbx_port;
	bool optimize;
};

#define GTDBG_HOOK_CONFIG_FILE "/etc/gtdbg.conf"
#define GTDBG_HOOK_DEVICE "/dev/gtdbg"
#define GTDBG_HOOK_GPU_DEVICE "/dev/gtdbg-pci"

const struct gtdbg_hook_config *gtdbg_hook_config_get(void);

/* Says why the program is not debugged, once. */
void gtdbg_hook_complain(int ret, const char *what);

/* In ns of CLOCK_MONOTONIC, and how many are left until then. */
uint64_t gtdbg_hook_deadline(uint64_t timeout_ms);
uint64_t gtdbg_hook_left(uint64_t deadline_ns);
/* Until there is something to read: 0, or -ETIMEDOUT, whatever signals come. */
int gtdbg_hook_await(int fd, unsigned int timeout_ms);

/**
 * struct gtdbg_hook_descriptor - one that the library keeps
 * @fd: its number, -1: none
 * @device: of its file: what that is in
 * @inode: number of it in there
 * @node: which device it is, if it is one
 */
struct gtdbg_hook_descriptor {
	int fd;
	uint64_t device;
	uint64_t inode;
	uint64_t node;
};

void gtdbg_hook_descriptor_init(struct gtdbg_hook_descriptor *descriptor,
				int fd);
/* Closes it, if it is ours still. */
void gtdbg_hook_descriptor_fini(struct gtdbg_hook_descriptor *descriptor);
/* -1: none, or the program has closed it. */
int gtdbg_hook_descriptor_fd(const struct gtdbg_hook_descriptor *descriptor);

int gtdbg_hook_client_open(const struct gtdbg_hook_config *config);
/* The runtime has a device: if it is a GPU of the machine, the client runs there. */
void gtdbg_hook_client_device(void);
void gtdbg_hook_client_source(const char *source, size_t len_bytes, char *name,
			      size_t name_capacity);

/* What the runtime says in between is of a program that the caller builds. */
void gtdbg_hook_client_build(bool begins);

/**
 * struct gtdbg_hook_kernel - what the runtime says of a kernel
 * @name: name of the kernel
 * @isa: its code
 * @isa_len_bytes: length of the code
 * @elf: its debug information
 * @elf_len_bytes: length of that
 */
struct gtdbg_hook_kernel {
	const char *name;
	const void *isa;
	size_t isa_len_bytes;
	const void *elf;
	size_t elf_len_bytes;
};

void gtdbg_hook_client_kernel(const struct gtdbg_hook_kernel *kernel);

/**
 * struct gtdbg_hook_source - a source text that the program has compiled
 * @next: the one before
 * @hash: of the text
 * @number: of the text, in the order in which they came
 * @len_bytes: length of the text
 * @text: the text, no terminating NUL
 * @module: the kernel module's number of it, 0: it does not know it
 */
struct gtdbg_hook_source {
	struct gtdbg_hook_source *next;
	uint64_t hash;
	unsigned int number;
	size_t len_bytes;
	char *text;
	uint32_t module;
};

/* One lock is held around all calls; the text is copied, NULL: no memory. */
struct gtdbg_hook_source *gtdbg_hook_source_get(const char *text, size_t len);
void gtdbg_hook_source_name(const struct gtdbg_hook_source *source, char *name,
			    size_t capacity);
/*
 * The text that a kernel was built from by its debug information; NULL: one of another
 * run. Without such information it is what is said to be it otherwise.
 */
struct gtdbg_hook_source *
gtdbg_hook_source_find(const struct gtdbg_hook_kernel *kernel,
		       struct gtdbg_hook_source *unsaid);
/* In a child after a fork. */
void gtdbg_hook_sources_forget(void);
/* Of bytes that follow on others with the hash @before, 0: on none. */
uint64_t gtdbg_hook_hash(uint64_t before, const void *bytes, size_t len);

/* Registers each kernel of a module's ELF; false if that holds none. */
bool gtdbg_hook_zebin_kernels(const struct gtdbg_hook_kernel *module,
			      void (*add)(const struct gtdbg_hook_kernel *));

/* The compiler's own copy of one of Intel's system routines, or an error. */
int gtdbg_hook_stock_find(enum gtdbg_hook_stock stock, const void **code_out,
			  size_t *len_bytes_out);

/* Will its save areas say whose they are? */
bool gtdbg_hook_sip_is_marked(const struct gtdbg_hook_config *config);
/* Will the runtime install our system routine, or one of Intel's? */
bool gtdbg_hook_sip_is_ours(const struct gtdbg_hook_config *config);
int gtdbg_hook_sip_write(const struct gtdbg_hook_config *config,
			 uint64_t token, bool is_armed);
/* In a child after a fork: its parent's folder is not its own. */
void gtdbg_hook_sip_forget(void);
/*
 * Those that are open and not bound yet. Some are no debugger's: if none is bound,
 * *refusal_out says why the first one is not. One lock is held around all calls.
 */
int gtdbg_hook_gpus_bind(int client_fd, int *refusal_out);
bool gtdbg_hook_gpus_any(void);
/* Without a client; in a child after a fork its parent's are not its own. */
void gtdbg_hook_gpus_forget(void);
int gtdbg_hook_vgtd_start(const struct gtdbg_hook_config *config);

#endif
