// SPDX-License-Identifier: MIT
/*
 * Calls the driver through Debian's loader as a debugger would, and as no good
 * debugger would. Without a process only what needs no module. Prints TAP.
 * usage: calls DRIVER [PID]
 */
#include <elf.h>
#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>
#include <level_zero/zet_api.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define INTEL_GT 182		/* machine of the ELF files */
#define REGISTER_SETS 11
#define THREADS (1u * 6 * 16 * 7)
#define EVENT_S 600
#define ALL { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX }

enum { SET_GRF = 1, SET_EMASK = 4, SET_CR = 6, SET_SBA = 11 };

static const ze_device_thread_t all = ALL;
static const ze_result_t null_handle = ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
static const ze_result_t null_pointer = ZE_RESULT_ERROR_INVALID_NULL_POINTER;
static const ze_result_t unavailable = ZE_RESULT_ERROR_NOT_AVAILABLE;
static const ze_result_t invalid = ZE_RESULT_ERROR_INVALID_ARGUMENT;

static ze_driver_handle_t driver;
static ze_device_handle_t device;
static zet_debug_session_handle_t session;
static unsigned int count;
static bool failed;

static void check(bool is_good, const char *name)
{
	count++;
	printf("%s %u - %s\n", is_good ? "ok" : "not ok", count, name);
	failed |= !is_good;
}

static void gives(ze_result_t result, ze_result_t expected, const char *name)
{
	if (result != expected)
		printf("# %x, expected %x\n", result, expected);
	check(result == expected, name);
}

static void finish(void)
{
	printf("1..%u\n", count);
	exit(failed);
}

/* Extensions would have functions of their own. */
static void check_function(void)
{
	void *function = NULL;

	gives(zeDriverGetExtensionFunctionAddress(driver, "zeNothing",
						  &function), invalid,
	      "no function of that name");
	gives(zeDriverGetExtensionFunctionAddress(NULL, "zeNothing",
						  &function), null_handle,
	      "a function of no driver");
	gives(zeDriverGetExtensionFunctionAddress(driver, NULL, &function),
	      null_pointer, "a function of no name");
	gives(zeDriverGetExtensionFunctionAddress(driver, "zeNothing", NULL),
	      null_pointer, "a function to nowhere");
	check(!function, "there is none");
}

static void check_driver(void)
{
	ze_driver_properties_t properties = { 0 };
	ze_driver_handle_t handles[2] = { 0 };
	ze_api_version_t version = 0;
	uint32_t number = 0;

	gives(zeDriverGet(NULL, NULL), null_pointer, "drivers: no count");
	gives(zeDriverGet(&number, NULL), 0, "drivers are counted");
	check(number == 1, "one driver");
	number = 2;
	gives(zeDriverGet(&number, handles), 0, "drivers are listed");
	driver = handles[0];
	check(number == 1 && driver && !handles[1], "no more than there are");
	gives(zeDriverGetProperties(driver, &properties), 0, "its properties");
	gives(zeDriverGetProperties(NULL, &properties), null_handle,
	      "properties of no driver");
	gives(zeDriverGetProperties(driver, NULL), null_pointer,
	      "properties to nowhere");
	gives(zeDriverGetApiVersion(driver, &version), 0, "its version");
	check(ZE_MAJOR_VERSION(version) == 1, "major version 1");
	gives(zeDriverGetApiVersion(NULL, &version), null_handle,
	      "version of no driver");
	gives(zeDriverGetApiVersion(driver, NULL), null_pointer,
	      "version to nowhere");
	number = 5;
	gives(zeDriverGetExtensionProperties(driver, &number, NULL), 0,
	      "extensions");
	check(!number, "there is no extension");
	gives(zeDriverGetExtensionProperties(NULL, &number, NULL), null_handle,
	      "extensions of no driver");
	gives(zeDriverGetExtensionProperties(driver, NULL, NULL), null_pointer,
	      "extensions: no count");
	check_function();
}

static void check_unsupported(void)
{
	ze_context_desc_t description = { 0 };
	ze_device_compute_properties_t compute = { 0 };
	zes_device_properties_t management = { 0 };
	ze_context_handle_t context = NULL;
	const ze_result_t unsupported = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
	uint32_t number = 0;

	gives(zeContextCreate(driver, &description, &context), unsupported,
	      "a context is not supported");
	gives(zeDeviceGetComputeProperties(device, &compute), unsupported,
	      "nor is what only a runtime needs");
	gives(zeDeviceGetMemoryProperties(device, &number, NULL), unsupported,
	      "nor memory to compute in");
	gives(zetMetricGroupGet(device, &number, NULL), unsupported,
	      "nor metrics");
	gives(zesDeviceGetProperties(device, &management), unsupported,
	      "nor management");
}

static void check_device(void)
{
	zet_device_debug_properties_t debug = { 0 };
	ze_device_properties_t properties = { 0 };
	ze_pci_ext_properties_t pci = { 0 };
	uint32_t number = 0;

	gives(zeDeviceGet(driver, &number, NULL), 0, "devices are counted");
	check(number == 1, "one device");
	gives(zeDeviceGet(driver, &number, &device), 0, "devices are listed");
	gives(zeDeviceGet(NULL, &number, &device), null_handle,
	      "devices of no driver");
	gives(zeDeviceGet(driver, NULL, NULL), null_pointer,
	      "devices: no count");
	gives(zeDeviceGetProperties(device, &properties), 0, "its properties");
	check(properties.type == ZE_DEVICE_TYPE_GPU &&
	      properties.vendorId == 0x8086 && properties.deviceId == 0x9a49,
	      "it is a Tiger Lake");
	check(properties.numSlices * properties.numSubslicesPerSlice *
	      properties.numEUsPerSubslice * properties.numThreadsPerEU ==
	      THREADS, "with all its threads");
	gives(zeDeviceGetProperties(NULL, &properties), null_handle,
	      "properties of no device");
	gives(zeDeviceGetProperties((void *)&number, &properties), null_handle,
	      "properties of what is no device");
	gives(zeDeviceGetProperties(device, NULL), null_pointer,
	      "device properties to nowhere");
	number = 7;
	gives(zeDeviceGetSubDevices(device, &number, NULL), 0, "sub-devices");
	check(!number, "there are none");
	gives(zeDevicePciGetPropertiesExt(device, &pci), 0, "PCI address");
	gives(zeDevicePciGetPropertiesExt(NULL, &pci), null_handle,
	      "PCI address of no device");
	gives(zeDevicePciGetPropertiesExt(device, NULL), null_pointer,
	      "PCI address to nowhere");
	gives(zeDeviceGetSubDevices(NULL, &number, NULL), null_handle,
	      "sub-devices of no device");
	gives(zeDeviceGetSubDevices(device, NULL, NULL), null_pointer,
	      "sub-devices: no count");
	gives(zeDeviceGetStatus(device), 0, "its status");
	gives(zeDeviceGetStatus(NULL), null_handle, "status of no device");
	gives(zetDeviceGetDebugProperties(device, &debug), 0, "debugging");
	check(debug.flags == ZET_DEVICE_DEBUG_PROPERTY_FLAG_ATTACH,
	      "can be attached to");
	gives(zetDeviceGetDebugProperties(NULL, &debug), null_handle,
	      "debugging of no device");
	gives(zetDeviceGetDebugProperties(device, NULL), null_pointer,
	      "debugging to nowhere");
}

static void check_register_sets(void)
{
	zet_debug_regset_properties_t sets[REGISTER_SETS + 1] = { 0 };
	uint32_t number = 0, i;
	bool is_power = true;

	gives(zetDebugGetRegisterSetProperties(device, &number, NULL), 0,
	      "register sets are counted");
	check(number == REGISTER_SETS, "their number");
	number = 2;
	gives(zetDebugGetRegisterSetProperties(device, &number, sets), 0,
	      "two of them");
	check(number == 2 && sets[1].count && !sets[2].count, "and no more");
	number = REGISTER_SETS + 1;
	gives(zetDebugGetRegisterSetProperties(device, &number, sets), 0,
	      "all of them");
	check(number == REGISTER_SETS, "no more than there are sets");
	for (i = 0; i < number; i++)
		is_power &= !(sets[i].byteSize & (sets[i].byteSize - 1));
	check(is_power, "sizes are powers of two, as gdb wants");
	gives(zetDebugGetRegisterSetProperties(NULL, &number, sets),
	      null_handle, "sets of no device");
	gives(zetDebugGetRegisterSetProperties(device, NULL, sets),
	      null_pointer, "sets: no count");
}

static void check_handles(zet_debug_session_handle_t handle, const char *what)
{
	zet_debug_memory_space_desc_t space = { 0 };
	zet_debug_event_t event = { 0 };
	char bytes[32];
	bool is_good;

	is_good = zetDebugReadEvent(handle, 0, &event) == null_handle &&
		  zetDebugAcknowledgeEvent(handle, &event) == null_handle &&
		  zetDebugInterrupt(handle, all) == null_handle &&
		  zetDebugResume(handle, all) == null_handle &&
		  zetDebugReadMemory(handle, all, &space, 1, bytes) ==
			null_handle &&
		  zetDebugWriteMemory(handle, all, &space, 1, bytes) ==
			null_handle &&
		  zetDebugReadRegisters(handle, all, SET_GRF, 0, 1, bytes) ==
			null_handle &&
		  zetDebugWriteRegisters(handle, all, SET_GRF, 0, 1, bytes) ==
			null_handle &&
		  zetDebugDetach(handle) == null_handle;
	check(is_good, what);
}

static void check_attach(uint32_t pid)
{
	zet_debug_config_t config = { .pid = pid }, own = { .pid = getpid() };
	zet_debug_config_t nobody = { 0 };
	zet_debug_session_handle_t second = NULL;

	gives(zetDebugAttach(NULL, &config, &session), null_handle,
	      "attach to no device");
	gives(zetDebugAttach(device, NULL, &session), null_pointer,
	      "attach to whom?");
	gives(zetDebugAttach(device, &config, NULL), null_pointer,
	      "attach to nowhere");
	gives(zetDebugAttach(device, &nobody, &session), invalid,
	      "attach to no process");
	gives(zetDebugAttach(device, &own, &session), ZE_RESULT_NOT_READY,
	      "attach before the process uses the GPU");
	gives(zetDebugAttach(device, &config, &session), 0, "attach");
	if (!session)
		finish();
	gives(zetDebugAttach(device, &config, &second), unavailable,
	      "a second debugger");
	check(!second, "has no session");
}

/* Waits for an event of that type; others pass. */
static bool event_wait(zet_debug_event_type_t type, zet_debug_event_t *out)
{
	time_t end = time(NULL) + EVENT_S;

	while (time(NULL) < end) {
		memset(out, 0, sizeof(*out));
		if (!zetDebugReadEvent(session, 100, out) && out->type == type)
			return true;
	}
	printf("# no event of type %d\n", type);
	return false;
}

static ze_result_t memory_read(ze_device_thread_t thread, uint64_t address,
			       size_t len, void *out)
{
	const zet_debug_memory_space_desc_t space = { .address = address };

	return zetDebugReadMemory(session, thread, &space, len, out);
}

static ze_result_t memory_write(ze_device_thread_t thread, uint64_t address,
				size_t len, const void *in)
{
	const zet_debug_memory_space_desc_t space = { .address = address };

	return zetDebugWriteMemory(session, thread, &space, len, in);
}

static void check_module(const zet_debug_event_t *load)
{
	uint64_t begin = load->info.module.moduleBegin;
	uint64_t end = load->info.module.moduleEnd;
	zet_debug_event_t other = *load;
	Elf64_Ehdr head = { 0 };
	char byte = 0;

	check(load->flags == ZET_DEBUG_EVENT_FLAG_NEED_ACK,
	      "a load waits for an answer");
	gives(memory_read(all, begin, sizeof(head), &head), 0, "its ELF file");
	check(!memcmp(head.e_ident, ELFMAG, SELFMAG) &&
	      head.e_machine == INTEL_GT, "is one, of this machine");
	gives(memory_read(all, end - 1, 1, &byte), 0, "its last byte");
	gives(memory_read(all, end, 1, &byte), unavailable, "behind it");
	gives(memory_read(all, end - 1, 2, &byte), unavailable, "over its end");
	gives(memory_read(all, begin - 1, 1, &byte), unavailable, "before it");
	gives(memory_write(all, begin, 1, &byte), unavailable,
	      "it cannot be changed");
	other.info.module.moduleBegin++;
	gives(zetDebugAcknowledgeEvent(session, &other), invalid,
	      "an answer to nothing");
	gives(zetDebugAcknowledgeEvent(session, NULL), null_pointer,
	      "an answer without an event");
}

/* Threads that wait at the entry are not stopped yet. */
static void check_before_stop(void)
{
	const ze_device_thread_t first = { 0 }, wrong = { .eu = 16 };
	char bytes[32] = { 0 };

	gives(zetDebugReadRegisters(session, first, SET_GRF, 0, 1, bytes),
	      unavailable, "registers of a thread that runs");
	gives(zetDebugWriteRegisters(session, first, SET_GRF, 0, 1, bytes),
	      unavailable, "which are not written");
	gives(zetDebugResume(session, first), unavailable,
	      "a thread that runs is not resumed");
	gives(zetDebugResume(session, all), 0, "all threads may be");
	gives(zetDebugResume(session, wrong), invalid, "no such thread");
	gives(zetDebugInterrupt(session, wrong), invalid,
	      "no such thread to interrupt");
	gives(memory_read(first, 0, 1, bytes), unavailable,
	      "memory of a thread that runs");
	gives(memory_write(first, 0, 1, bytes), unavailable,
	      "which is not written");
}

/* At the second instruction: the first one is the runtime's. */
static uint64_t check_breakpoint(const zet_debug_event_t *load)
{
	uint64_t address = load->info.module.load + 16;
	uint8_t code[16], now[16] = { 0 };

	gives(memory_read(all, address, sizeof(code), code), 0, "code");
	if (code[3] & 0x20)
		code[0] ^= 0x80;
	else
		code[3] ^= 0x40;
	gives(memory_write(all, address, sizeof(code), code), 0,
	      "a breakpoint is written");
	gives(memory_read(all, address, sizeof(now), now), 0, "code again");
	check(!memcmp(code, now, sizeof(code)), "with the breakpoint");
	gives(memory_write(all, address, sizeof(code), code), 0,
	      "the same breakpoint again");
	gives(zetDebugAcknowledgeEvent(session, load), 0, "the answer");
	gives(zetDebugAcknowledgeEvent(session, load), invalid,
	      "the same answer again");
	return address;
}

static void check_registers(ze_device_thread_t thread, uint64_t address)
{
	uint32_t cr[4] = { 0 }, grf[2][8] = { 0 };
	uint64_t bases[9] = { 0 };

	gives(zetDebugReadRegisters(session, thread, SET_CR, 0, 1, cr), 0,
	      "cr0");
	gives(zetDebugReadRegisters(session, thread, SET_SBA, 0, 9, bases), 0,
	      "the bases");
	check(bases[4] + cr[2] == address, "it stands at the breakpoint");
	check(cr[1] >> 31, "which is the cause");
	gives(zetDebugReadRegisters(session, thread, SET_GRF, 127, 1, grf[0]),
	      0, "the last register");
	grf[0][3] ^= 0x5a5a5a5a;
	gives(zetDebugWriteRegisters(session, thread, SET_GRF, 127, 1, grf[0]),
	      0, "is changed");
	gives(zetDebugReadRegisters(session, thread, SET_GRF, 127, 1, grf[1]),
	      0, "and read again");
	check(!memcmp(grf[0], grf[1], sizeof(grf[0])), "as it was written");
	gives(zetDebugReadRegisters(session, thread, SET_GRF, 127, 2, grf),
	      invalid, "behind the last one");
	gives(zetDebugReadRegisters(session, thread, SET_GRF, 128, 0, grf),
	      invalid, "a wrong start");
	gives(zetDebugReadRegisters(session, thread, 99, 0, 1, grf), invalid,
	      "no such set");
	gives(zetDebugReadRegisters(session, thread, SET_GRF, 0, 1, NULL),
	      null_pointer, "registers to nowhere");
	gives(zetDebugWriteRegisters(session, thread, SET_EMASK, 0, 1, grf),
	      invalid, "a set that cannot be written");
	gives(zetDebugWriteRegisters(session, thread, SET_GRF, 0, 1, NULL),
	      null_pointer, "registers from nowhere");
	gives(zetDebugWriteRegisters(session, thread, SET_GRF, 127, 2, grf),
	      invalid, "writing behind the last one");
	gives(zetDebugWriteRegisters(session, all, SET_GRF, 0, 1, grf),
	      unavailable, "registers of all threads");
}

static void check_memory(ze_device_thread_t thread)
{
	zet_debug_memory_space_desc_t space = { 0 };
	char bytes[16];

	gives(zetDebugReadMemory(session, thread, NULL, 1, bytes),
	      null_pointer, "memory where?");
	gives(zetDebugReadMemory(session, thread, &space, 1, NULL),
	      null_pointer, "memory to nowhere");
	gives(zetDebugWriteMemory(session, thread, &space, 1, NULL),
	      null_pointer, "memory from nowhere");
	gives(zetDebugReadMemory(session, thread, &space, 1, bytes),
	      unavailable, "memory that is not mapped");
	space.type = ZET_DEBUG_MEMORY_SPACE_TYPE_SLM;
	gives(zetDebugReadMemory(session, thread, &space, 1, bytes),
	      unavailable, "local memory of a group that has none");
	gives(zetDebugReadMemory(session, all, &space, 1, bytes), unavailable,
	      "local memory of all threads");
	space.type = ZET_DEBUG_MEMORY_SPACE_TYPE_SLM + 1;
	gives(zetDebugReadMemory(session, thread, &space, 1, bytes),
	      ZE_RESULT_ERROR_INVALID_ENUMERATION, "memory of no kind");
}

static void check_interrupt(ze_device_thread_t thread)
{
	zet_debug_event_t event = { 0 };
	bool is_all;

	gives(zetDebugInterrupt(session, thread), unavailable,
	      "a stopped thread is not interrupted");
	gives(zetDebugInterrupt(session, all), 0, "all threads are");
	gives(zetDebugInterrupt(session, all), ZE_RESULT_NOT_READY,
	      "not again before the answer");
	is_all = event_wait(ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE, &event) &&
		 !memcmp(&event.info.thread.thread, &all, sizeof(all));
	check(is_all, "the answer says that there are no more");
}

static void check_step(ze_device_thread_t thread)
{
	uint32_t cr[4] = { 0 }, before;
	zet_debug_event_t event;

	zetDebugReadRegisters(session, thread, SET_CR, 0, 1, cr);
	before = cr[2];
	cr[1] |= 1u << 31;
	gives(zetDebugWriteRegisters(session, thread, SET_CR, 0, 1, cr), 0,
	      "a step is asked for");
	gives(zetDebugResume(session, thread), 0, "the thread goes on");
	gives(zetDebugResume(session, thread), unavailable,
	      "but not twice from one stop");
	gives(zetDebugWriteRegisters(session, thread, SET_CR, 0, 1, cr),
	      unavailable, "nor are registers written behind it");
	check(event_wait(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, &event) &&
	      !memcmp(&event.info.thread.thread, &thread, sizeof(thread)),
	      "and stops");
	gives(zetDebugReadRegisters(session, thread, SET_CR, 0, 1, cr), 0,
	      "cr0 behind the step");
	check(cr[2] == before + 8 || cr[2] == before + 16,
	      "one instruction further");
}

static void on_alarm(int number)
{
	(void)number;
	zetDebugInterrupt(session, all);
}

static void *hammer(void *argument)
{
	const ze_device_thread_t thread = *(ze_device_thread_t *)argument;
	zet_debug_event_t event;
	char bytes[32];
	int i;

	for (i = 0; i < 40; i++) {
		zetDebugReadRegisters(session, thread, SET_GRF, 0, 1, bytes);
		zetDebugReadEvent(session, 0, &event);
		zetDebugInterrupt(session, thread);
		memory_read(thread, 0, sizeof(bytes), bytes);
	}
	return NULL;
}

/* Also interrupts from a signal handler, wherever the others are. */
static void check_threads(ze_device_thread_t thread)
{
	const struct itimerval often = { { 0, 5000 }, { 0, 5000 } };
	const struct itimerval never = { 0 };
	pthread_t threads[4];
	size_t i;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, hammer, &thread);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	check(true, "threads that call at once");
}

static void *waiter(void *argument)
{
	zet_debug_event_t event;
	ze_result_t ret;

	do {
		ret = zetDebugReadEvent(session, UINT64_MAX, &event);
	} while (ret == ZE_RESULT_SUCCESS);
	*(ze_result_t *)argument = ret;
	return NULL;
}

static void check_detach(void)
{
	ze_result_t result = ZE_RESULT_SUCCESS;
	zet_debug_session_handle_t old = session;
	pthread_t thread;

	pthread_create(&thread, NULL, waiter, &result);
	usleep(50000);
	gives(zetDebugDetach(session), 0, "detach while another thread waits");
	pthread_join(thread, NULL);
	check(result == ZE_RESULT_NOT_READY || result == null_handle,
	      "which is reported");
	check_handles(old, "a session that is over");
}

static void check_session(uint32_t pid)
{
	zet_debug_event_t event = { 0 };
	ze_device_thread_t thread;
	zet_debug_event_t load;
	uint64_t address;

	check_attach(pid);
	gives(zetDebugReadEvent(session, 0, NULL), null_pointer,
	      "an event to nowhere");
	gives(zetDebugReadEvent(session, 0, &event), 0, "the first event");
	check(event.type == ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY,
	      "is the process");
	if (!event_wait(ZET_DEBUG_EVENT_TYPE_MODULE_LOAD, &load))
		return check(false, "a load");
	check_module(&load);
	check_before_stop();
	address = check_breakpoint(&load);
	if (!event_wait(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, &event))
		return check(false, "a stop");
	thread = event.info.thread.thread;
	check_registers(thread, address);
	check_memory(thread);
	check_interrupt(thread);
	check_step(thread);
	check_threads(thread);
	check_detach();
}

int main(int argc, char **argv)
{
	ze_result_t ret;

	if (argc < 2)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	setenv("ZE_ENABLE_ALT_DRIVERS", argv[1], 1);
	puts("TAP version 13");
	ret = zeInit(0);
	if (argc < 3) {
		gives(ret, ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE,
		      "no driver without the module");
		finish();
	}
	gives(ret, 0, "the loader takes the driver");
	if (ret)
		finish();
	gives(zeInit(0), 0, "also twice");
	check_driver();
	check_device();
	check_unsupported();
	check_register_sets();
	check_handles(NULL, "no session");
	check_handles((void *)0x1234567, "what is no session");
	check_session(atoi(argv[2]));
	finish();
}
