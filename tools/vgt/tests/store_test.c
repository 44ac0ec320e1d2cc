// SPDX-License-Identifier: MIT
/*
 * Compiled code that is kept: linked from an object, which is made here by hand from the
 * ELF specification; written to a folder and found there again, unless it is damaged,
 * another one's, or anybody could have written it; and used by a process that has not
 * compiled it.
 */
#include "engine_rig.h"
#include "eu/handler.h"
#include "port/message.h"
#include "tap.h"
#include "tier/content.h"
#include "tier/image.h"
#include "tier/llvm.h"
#include "tier/store.h"
#include "tier/tier.h"

#include <cpuid.h>
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWER 0x12345678
#define NODES 3
#define PAD 40 /* bytes of text behind its function */

typedef int (*answer)(void);

enum { NONE, TEXT, DATA, RELA, SYMBOLS, NAMES, SECTIONS };

/* Loads what is in .rodata, relative to itself: mov eax, [rip + ...]; ret. */
struct object {
	Elf64_Ehdr header;
	uint8_t text[16 + PAD];
	uint32_t data[4];
	Elf64_Rela rela[1];
	Elf64_Sym symbol[4];
	char names[16];
	Elf64_Shdr section[SECTIONS];
};

static void section(struct object *object, int number, uint32_t type,
		    uint64_t flags, size_t offset, size_t size)
{
	object->section[number] = (Elf64_Shdr){
		.sh_type = type,
		.sh_flags = flags,
		.sh_offset = offset,
		.sh_size = size,
		.sh_addralign = 16,
	};
}

static void make_object(struct object *object)
{
	static const uint8_t text[] = { 0x8b, 0x05, 0, 0, 0, 0, 0xc3 };

	memset(object, 0, sizeof(*object));
	memcpy(object->header.e_ident, ELFMAG, SELFMAG);
	object->header.e_type = ET_REL;
	object->header.e_machine = EM_X86_64;
	object->header.e_shoff = offsetof(struct object, section);
	object->header.e_shentsize = sizeof(Elf64_Shdr);
	object->header.e_shnum = SECTIONS;
	memcpy(object->text + 16, text, sizeof(text));
	object->data[2] = ANSWER;
	object->rela[0] = (Elf64_Rela){
		.r_offset = 16 + 2,
		.r_info = ELF64_R_INFO(1, R_X86_64_PC32),
		.r_addend = 8 - 4,
	};
	object->symbol[1].st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION);
	object->symbol[1].st_shndx = DATA;
	object->symbol[2] = (Elf64_Sym){
		.st_name = 1,
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = TEXT,
		.st_value = 16,
	};
	object->symbol[3].st_name = 8;
	memcpy(object->names, "\0region\0other", 14);
	section(object, TEXT, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
		offsetof(struct object, text), sizeof(object->text));
	section(object, DATA, SHT_PROGBITS, SHF_ALLOC,
		offsetof(struct object, data), sizeof(object->data));
	section(object, RELA, SHT_RELA, 0, offsetof(struct object, rela),
		sizeof(object->rela));
	section(object, SYMBOLS, SHT_SYMTAB, 0, offsetof(struct object, symbol),
		sizeof(object->symbol));
	section(object, NAMES, SHT_STRTAB, 0, offsetof(struct object, names),
		sizeof(object->names));
	object->section[RELA].sh_info = TEXT;
	object->section[RELA].sh_link = SYMBOLS;
	object->section[SYMBOLS].sh_link = NAMES;
}

static bool links(const struct object *object)
{
	struct vgt_image image;
	bool done = vgt_image_link(&image, object, sizeof(*object), "region");

	vgt_image_fini(&image);
	return done;
}

/* Where it lies makes no difference. */
static bool answers(const struct vgt_image *image)
{
	return ((answer)(image->code + image->entry))() == ANSWER;
}

static void run_link(void)
{
	struct object object;
	struct vgt_image image, copy;
	bool ok;

	make_object(&object);
	ok = vgt_image_link(&image, &object, sizeof(object), "region") &&
	     answers(&image);
	tap_result(ok, "an object is linked", NULL);
	ok = ok && vgt_image_copy(&copy, image.code, image.bytes, image.entry);
	tap_result(ok && copy.code != image.code && answers(&copy),
		   "its code may lie elsewhere", NULL);
	tap_result(!vgt_image_copy(&copy, image.code, image.bytes, image.bytes),
		   "but has its entry within", NULL);
	vgt_image_fini(&image);
}

static void run_refused(void)
{
	struct object object;

	make_object(&object);
	object.rela[0].r_info = ELF64_R_INFO(3, R_X86_64_PC32);
	tap_result(!links(&object), "what another object has is refused", NULL);
	make_object(&object);
	object.rela[0].r_info = ELF64_R_INFO(1, R_X86_64_64);
	tap_result(!links(&object), "so is an address", NULL);
	make_object(&object);
	object.section[DATA].sh_flags |= SHF_WRITE;
	tap_result(!links(&object), "so is what can be written", NULL);
	make_object(&object);
	object.rela[0].r_offset = sizeof(object.text) - 3;
	tap_result(!links(&object), "so is a relocation across an end", NULL);
	make_object(&object);
	object.symbol[2].st_shndx = SHN_UNDEF;
	tap_result(!links(&object), "so is one without its function", NULL);
	make_object(&object);
	object.section[SYMBOLS].sh_type = SHT_NULL;
	object.section[RELA].sh_type = SHT_NULL;
	tap_result(!links(&object), "and one without any names", NULL);
}

/* Nothing of it is run. Sanitizers see what is read or written elsewhere. */
static void run_hostile(void)
{
	struct object object;
	struct vgt_image image;
	size_t linked = 0;
	uint8_t *cut;
	bool ok = true;

	freopen("/dev/null", "w", stderr);
	make_object(&object);
	for (size_t count = 0; count < sizeof(object); count++) {
		cut = malloc(count + 1);
		memcpy(cut, &object, count);
		ok &= !vgt_image_link(&image, cut, count, "region");
		free(cut);
	}
	tap_result(ok, "an object that is cut off is refused", NULL);
	for (size_t at = 0; at < 8 * sizeof(object); at++) {
		make_object(&object);
		((uint8_t *)&object)[at / 8] ^= 1U << at % 8;
		linked += links(&object);
	}
	tap_result(linked && linked < 8 * sizeof(object),
		   "each bit of an object may be wrong", NULL);
}

/* As of some page: instructions with a handler each, and a number. */
static struct vgt_graph *make_graph(uint32_t page, uint32_t number)
{
	size_t bytes = sizeof(struct vgt_graph) + NODES * sizeof(struct vgt_node);
	struct vgt_graph *graph = aligned_alloc(64, (bytes + 63) / 64 * 64);

	memset(graph, 0, (bytes + 63) / 64 * 64);
	graph->base = page * VGT_CODE_BYTES;
	graph->head = graph->base;
	graph->count = NODES;
	for (uint32_t i = 0; i < NODES; i++) {
		struct vgt_inst *inst = &graph->node[i].inst;

		inst->exec = vgt_sync_exec;
		inst->ip = graph->base + 16 * i;
		inst->jip = VGT_IP_NONE;
		inst->uip = VGT_IP_NONE;
		inst->bytes = 16;
		inst->desc = number;
		graph->node[i].origin = inst;
		graph->at[2 * i] = i + 1;
	}
	return graph;
}

static struct vgt_content *make_content(struct vgt_graph *graph, bool masks,
					enum vgt_unit_level level)
{
	struct vgt_content *content = vgt_content_create(graph, masks, level);

	if (!content)
		abort();
	vgt_graph_destroy(graph);
	return content;
}

static void put(uint32_t number)
{
	struct vgt_content *content = make_content(make_graph(1, number), false,
						   VGT_UNIT_QUICK);
	struct object object;

	make_object(&object);
	if (!vgt_image_link(&content->image, &object, sizeof(object), "region"))
		abort();
	vgt_store_add(content);
	vgt_content_destroy(content);
}

/* Is there code that does what put() has given it? */
static bool get(struct vgt_graph *graph, bool masks, enum vgt_unit_level level)
{
	struct vgt_content *content = make_content(graph, masks, level);
	bool found = vgt_store_find(content);

	if (found && !answers(&content->image))
		tap_result(false, "code that was found is what was kept", NULL);
	vgt_content_destroy(content);
	return found;
}

static bool is_there(uint32_t number)
{
	return get(make_graph(1, number), false, VGT_UNIT_QUICK);
}

static void run_found(void)
{
	struct vgt_graph *graph = make_graph(1, 1);

	put(1);
	tap_result(is_there(1), "what was kept is found", NULL);
	tap_result(get(make_graph(7, 1), false, VGT_UNIT_QUICK),
		   "also for another page", NULL);
	tap_result(!is_there(2), "not for another instruction", NULL);
	graph->node[1].inst.exec = vgt_send_exec;
	tap_result(!get(graph, false, VGT_UNIT_QUICK), "nor another handler", NULL);
	tap_result(!get(make_graph(1, 1), true, VGT_UNIT_QUICK),
		   "nor with masks", NULL);
	tap_result(!get(make_graph(1, 1), false, VGT_UNIT_GOOD),
		   "nor better compiled", NULL);
}

/* How many files the folder has; @path is one of them. */
static int find_files(const char *folder, char *path, size_t size)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int count = 0;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.') {
			snprintf(path, size, "%s/%s", folder, entry->d_name);
			count++;
		}
	if (dir)
		closedir(dir);
	return count;
}

static void only_file(const char *folder, char *path, size_t size)
{
	if (find_files(folder, path, size) != 1)
		abort();
}

static void write_file(const char *path, const void *bytes, size_t count)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, bytes, count) != (ssize_t)count)
		abort();
	close(fd);
}

static size_t read_file(const char *path, uint8_t *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count = fd < 0 ? -1 : read(fd, bytes, size);

	if (count <= 0 || count == (ssize_t)size)
		abort();
	close(fd);
	return count;
}

/* The ID in the program's file, behind its owner's name. */
static bool has_build(const uint8_t *bytes)
{
	static const uint8_t note[] = { 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0,
					'G', 'N', 'U', 0 };
	static uint8_t program[65536];
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	ssize_t count = read(fd, program, sizeof(program));
	uint8_t *found = count > 0 ? memmem(program, count - 20, note, sizeof(note)) :
			 NULL;

	close(fd);
	return found && !memcmp(found + sizeof(note), bytes, 20);
}

/* Behind the header and the word that says which words are there. */
static void run_maker(const char *folder)
{
	static uint8_t file[65536];
	char path[PATH_MAX] = "";
	uint32_t a, b, c, d;

	only_file(folder, path, sizeof(path));
	read_file(path, file, sizeof(file));
	tap_result(has_build(file + 40), "a file is for this build", NULL);
	__cpuid(1, a, b, c, d);
	tap_result(!memcmp(file + 60, &a, 4) && !memcmp(file + 64, &c, 4) &&
		   !memcmp(file + 68, &d, 4), "and for this processor", NULL);
	(void)b;
	vgt_llvm_narrow();
	tap_result(!is_there(1), "not for a lesser one", NULL);
}

static void run_damaged(const char *folder)
{
	static uint8_t file[65536];
	char path[PATH_MAX] = "";
	size_t count;
	bool ok = true;

	only_file(folder, path, sizeof(path));
	count = read_file(path, file, sizeof(file));
	for (size_t i = 0; i < count && ok; i++) {
		write_file(path, file, i);
		ok = !is_there(1);
	}
	tap_result(ok, "a file that is cut off is not used", NULL);
	for (size_t i = 0; i < count && ok; i++) {
		file[i] ^= 0x40;
		write_file(path, file, count);
		ok = !is_there(1) && access(path, F_OK);
		file[i] ^= 0x40;
	}
	tap_result(ok, "nor is one of which a byte is wrong, and is deleted", NULL);
	write_file(path, file, count);
	tap_result(is_there(1), "as it was before it is", NULL);
}

static void run_others(const char *folder)
{
	char path[PATH_MAX] = "", moved[PATH_MAX + 8];

	only_file(folder, path, sizeof(path));
	chmod(path, 0620);
	tap_result(!is_there(1), "one that others may write is not used", NULL);
	chmod(path, 0600);
	if (!geteuid() && !chown(path, 65534, 65534)) {
		tap_result(!is_there(1), "nor is another user's", NULL);
		if (chown(path, 0, 0))
			abort();
	} else {
		printf("# another user's: only as root of all users\n");
	}
	snprintf(moved, sizeof(moved), "%s.moved", path);
	if (rename(path, moved) || symlink(moved, path))
		abort();
	tap_result(!is_there(1), "nor is one that is elsewhere", NULL);
	if (unlink(path) || mkfifo(path, 0600))
		abort();
	tap_result(!is_there(1), "nor is a pipe waited for", NULL);
	if (unlink(path) || rename(moved, path))
		abort();
	tap_result(is_there(1), "and without all that it is", NULL);
}

/* Files that say that they are large, and were last used so long ago. */
static void make_large(const char *folder, unsigned int number, time_t age)
{
	struct timespec times[2] = {
		{ .tv_sec = time(NULL) - age }, { .tv_sec = time(NULL) - age },
	};
	char path[PATH_MAX + 32];
	int fd;

	snprintf(path, sizeof(path), "%s/%016x.code", folder, number);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, 40 << 20) || futimens(fd, times))
		abort();
	close(fd);
}

static bool has_large(const char *folder, unsigned int number)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/%016x.code", folder, number);
	return !access(path, F_OK);
}

/* Of 320 MiB 192 are left: those of numbers 4 to 7, as the later ones are newer. */
static void run_too_much(const char *folder)
{
	char path[PATH_MAX + 32];
	bool old = false, new = true;

	for (unsigned int i = 0; i < 8; i++)
		make_large(folder, i, 1000 - 10 * i);
	put(1);
	for (unsigned int i = 0; i < 4; i++)
		old |= has_large(folder, i);
	for (unsigned int i = 4; i < 8; i++)
		new &= has_large(folder, i);
	tap_result(!old && new, "if it is too much the oldest go", NULL);
	for (unsigned int i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), "%s/%016x.code", folder, i);
		unlink(path);
	}
}

static void run_folders(const char *folder)
{
	char path[PATH_MAX];
	const char *why = "";

	snprintf(path, sizeof(path), "%s/open", folder);
	if (mkdir(path, 0700) || chmod(path, 0770))
		abort();
	tap_result(vgt_store_open(path, &why) == -EPERM,
		   "a folder that others may write is refused", NULL);
	snprintf(path, sizeof(path), "%s/file", folder);
	write_file(path, "", 0);
	tap_result(vgt_store_open(path, &why) == -ENOTDIR,
		   "so is a file", NULL);
	snprintf(path, sizeof(path), "%s/file/below", folder);
	tap_result(vgt_store_open(path, &why) == -ENOTDIR && *why,
		   "and what would be below it", NULL);
}

static bool library_is_loaded(void)
{
	void *library = dlopen("libLLVM-14.so.1", RTLD_NOLOAD | RTLD_LAZY);

	if (library)
		dlclose(library);
	return library;
}

#define TURN 6 /* instructions of the loop below */
#define ROUND (1U << 16) /* turns */
#define TURNS_MAX (1ULL << 31)

/* The handler of one of them is called, and what is kept of a product is in .rodata. */
static const char loop[] =
	"LOOP:\n"
	"add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d\n"
	"math.inv (16|M0) r14.0<1>:f r12.0<8;8,1>:f\n"
	"mul (16|M0) r16.0<1>:d r10.0<8;8,1>:d 5:w\n"
	"bfrev (16|M0) r18.0<1>:ud r10.0<8;8,1>:ud\n"
	"add (16|M0) r20.0<1>:d r16.0<8;8,1>:d r20.0<8;8,1>:d\n"
	"(W) jmpi (1|M0) LOOP\n";

static bool sums_are_right(const struct engine_rig *rig, uint64_t turns)
{
	uint32_t product = 0;

	/* 5 times each number up to that of turns. */
	product = (uint32_t)(5 * (turns * (turns + 1) / 2));
	for (unsigned int i = 0; i < 16; i++)
		if (vgt_load32(rig->thread.reg + 10 * VGT_GRF_BYTES + 4 * i) !=
		    (uint32_t)turns ||
		    vgt_load32(rig->thread.reg + 20 * VGT_GRF_BYTES + 4 * i) !=
		    product)
			return false;
	return true;
}

/*
 * As another process: until two regions are compiled, or until one is found. 0: as it
 * should be; 2: nothing can be compiled here.
 */
static int run_process(const char *folder, bool finds)
{
	const struct vgt_tier_spent *spent = vgt_tier_spent();
	const struct model_state state = { .enabled = 0xffff };
	char path[PATH_MAX + 256];
	struct engine_rig *rig;
	const char *why;
	uint64_t turns = 0;
	uint8_t *code;
	size_t bytes;
	bool ok = true;

	if (vgt_store_open(folder, &why) || vgt_store_has_any() != finds)
		return 1;
	if (vgt_tier_start(VGT_TIER_HOT, &why))
		return 2;
	code = engine_assemble(loop, "", &bytes);
	rig = engine_rig_create(code, bytes, false);
	engine_rig_load(rig, &state, 0);
	rig->thread.dispatch_mask = state.enabled;
	while (ok && turns < TURNS_MAX &&
	       (finds ? !atomic_load(&spent->stored) :
			atomic_load(&spent->regions) < 2)) {
		turns += ROUND;
		vgt_eu_run(&rig->thread, (uint64_t)ROUND * TURN);
		ok = sums_are_right(rig, turns);
	}
	for (int i = 0; i < 3 && ok; i++) {
		turns += ROUND;
		vgt_eu_run(&rig->thread, (uint64_t)ROUND * TURN);
		ok = sums_are_right(rig, turns);
	}
	if (finds)
		ok &= !atomic_load(&spent->regions) && !library_is_loaded();
	/* They are written when they are in use. */
	while (ok && !finds && find_files(folder, path, sizeof(path)) < 2)
		usleep(10000);
	engine_rig_destroy(rig);
	free(code);
	return !ok;
}

/* Its status. It lies elsewhere in memory than this one, and than the other one. */
static int run_child(const char *folder, const char *what)
{
	pid_t child = fork();
	int status;

	if (!child) {
		execl("/proc/self/exe", "store_test", what, folder, NULL);
		_exit(127);
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			abort();
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void run_processes(const char *folder)
{
	int status = run_child(folder, "makes");

	if (status == 2) {
		tap_result(true, "another process # SKIP nothing is compiled here",
			   NULL);
		return;
	}
	tap_result(!status, "what runs long is kept", NULL);
	tap_result(!run_child(folder, "finds"),
		   "another process finds it, and loads no compiler", NULL);
}

static void clean(const char *folder)
{
	char command[PATH_MAX + 16];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	if (system(command))
		printf("# %s is still there\n", folder);
}

/* usage: store_test, or what it runs itself: store_test makes|finds FOLDER */
int main(int argc, char **argv)
{
	char folder[] = "/tmp/vgt-store-XXXXXX", path[PATH_MAX];
	const char *why = "";

	if (argc == 3)
		return run_process(argv[2], !strcmp(argv[1], "finds"));
	if (!mkdtemp(folder))
		abort();
	run_link();
	run_refused();
	snprintf(path, sizeof(path), "%s/processes", folder);
	run_processes(path);
	run_folders(folder);
	snprintf(path, sizeof(path), "%s/some/where", folder);
	tap_result(!vgt_store_open(path, &why) && !vgt_store_has_any(),
		   "a folder is made where there is none", why);
	run_too_much(path);
	run_found();
	run_damaged(path);
	run_others(path);
	run_maker(path);
	run_hostile();
	clean(folder);
	return tap_finish();
}
