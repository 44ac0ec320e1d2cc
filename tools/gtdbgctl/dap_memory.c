// SPDX-License-Identifier: MIT
/* Memory, as base 64 has it, and disassembly. */
#include "dap.h"

#include "field.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#define READ_MAX	(1u << 20)
#define PAGE		4096u
#define INSTRUCTIONS_MAX 4096

static const char digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode(const uint8_t *bytes, size_t len)
{
	char *text = malloc((len + 2) / 3 * 4 + 1), *to = text;
	size_t i, part;

	for (i = 0; text && i < len; i += 3) {
		uint32_t bits = bytes[i] << 16;

		part = len - i < 3 ? len - i : 3;
		bits |= part > 1 ? bytes[i + 1] << 8 : 0;
		bits |= part > 2 ? bytes[i + 2] : 0;
		*to++ = digits[bits >> 18];
		*to++ = digits[bits >> 12 & 63];
		*to++ = part > 1 ? digits[bits >> 6 & 63] : '=';
		*to++ = part > 2 ? digits[bits & 63] : '=';
	}
	if (text)
		*to = 0;
	return text;
}

/* The bytes' number, or -1 if the text is no base 64. */
static ssize_t decode(const char *text, uint8_t *bytes)
{
	uint32_t bits = 0, count = 0;
	uint8_t *to = bytes;
	const char *digit;

	for (; *text && *text != '='; text++) {
		digit = strchr(digits, *text);
		if (!digit)
			return -1;
		bits = bits << 6 | (uint32_t)(digit - digits);
		if (++count % 4 == 0) {
			*to++ = bits >> 16;
			*to++ = bits >> 8;
			*to++ = bits;
		}
	}
	if (count % 4 == 1 || strlen(text) > 2)
		return -1;
	if (count % 4 == 2)
		*to++ = bits >> 4;
	if (count % 4 == 3) {
		*to++ = bits >> 10;
		*to++ = bits >> 2;
	}
	return to - bytes;
}

static int address_read(struct json_object *arguments, uint64_t *out)
{
	const char *text = field_text(arguments, "memoryReference");
	char *end = NULL;

	if (text)
		*out = strtoull(text, &end, 0);
	if (!text || end == text || *end)
		return dap_fail("memoryReference: this is no address");
	*out += field_number(arguments, "offset", 0);
	return 0;
}

/* Up to where nothing is. */
static size_t memory_read(struct debugger *debugger, uint64_t address,
			  uint8_t *bytes, size_t len)
{
	const struct gtdbg_machine *machine =
		gtdbg_stop_machine(debugger->stop);
	size_t done = 0, part;

	if (!machine->memory_read(machine->context, address, bytes, len))
		return len;
	while (done < len) {
		part = PAGE - (address + done) % PAGE;
		if (part > len - done)
			part = len - done;
		if (machine->memory_read(machine->context, address + done,
					 bytes + done, part))
			break;
		done += part;
	}
	return done;
}

static int thread_need(struct dap *dap)
{
	if (dap->debugger.has_thread)
		return 0;
	return thread_select(&dap->debugger, &dap->focus, -1) ? -1 : 0;
}

int dap_read_memory(struct dap *dap, struct json_object *arguments,
		    struct json_object *body)
{
	int64_t count = field_number(arguments, "count", -1);
	uint64_t address;
	uint8_t *bytes;
	char *text;
	size_t len;

	if (address_read(arguments, &address) || thread_need(dap))
		return -1;
	if (count < 0 || count > READ_MAX)
		return dap_fail("readMemory: count is from 0 to %u", READ_MAX);
	bytes = malloc(count + 1);
	if (!bytes)
		return dap_fail("Out of memory.");
	len = memory_read(&dap->debugger, address, bytes, count);
	text = encode(bytes, len);
	free(bytes);
	field_add_address(body, "address", address);
	field_add_text(body, "data", text ? text : "");
	if (len < (size_t)count)
		field_add_number(body, "unreadableBytes", count - len);
	free(text);
	return 0;
}

int dap_write_memory(struct dap *dap, struct json_object *arguments,
		     struct json_object *body)
{
	const char *text = field_text(arguments, "data");
	uint64_t address;
	uint8_t *bytes;
	ssize_t len;
	int ret;

	if (address_read(arguments, &address) || thread_need(dap))
		return -1;
	if (!text)
		return dap_fail("writeMemory: \"data\" is missing");
	bytes = malloc(strlen(text) + 1);
	if (!bytes)
		return dap_fail("Out of memory.");
	len = decode(text, bytes);
	ret = len < 0 ? -EINVAL :
	      gtdbg_stop_memory_write(dap->debugger.stop, address, bytes, len);
	free(bytes);
	if (len < 0)
		return dap_fail("writeMemory: \"data\" is no base 64");
	if (ret)
		return dap_fail("Cannot access memory at address 0x%llx",
				(unsigned long long)address);
	field_add_number(body, "bytesWritten", len);
	return 0;
}

static void instruction_bytes(struct json_object *item,
			      struct gtdbg_symbols *symbols, uint32_t offset,
			      uint32_t size)
{
	const uint8_t *code;
	char text[64], *to = text;
	size_t len = 0;
	uint32_t i;

	code = symbols ? gtdbg_symbols_text(symbols, NULL, &len) : NULL;
	if (!code || offset + size > len)
		return;
	for (i = 0; i < size; i++)
		to += sprintf(to, "%s%02x", i ? " " : "", code[offset + i]);
	field_add_text(item, "instructionBytes", text);
}

/* What has none is of the same line as the one before. */
static void instruction_line(struct dap *dap, struct json_object *item,
			     struct gtdbg_symbols *symbols, uint32_t offset,
			     uint32_t *last)
{
	struct gtdbg_line line;
	uint64_t base = 0;
	size_t len;

	if (!symbols)
		return;
	gtdbg_symbols_text(symbols, &base, &len);
	if (gtdbg_line_find(symbols, base + offset, &line) ||
	    line.line == *last)
		return;
	*last = line.line;
	dap_place_add(dap, item, "location", line.file, line.line);
}

static void instruction_add(struct dap *dap, struct json_object *list,
			    struct kernel *kernel, uint32_t offset,
			    uint32_t size, uint32_t *last)
{
	struct json_object *item = array_add_object(list);
	char text[512];

	field_add_address(item, "address", kernel->address + offset);
	if (gtdbg_code_text(kernel->code, offset, text, sizeof(text)))
		strcpy(text, "??");
	field_add_text(item, "instruction", text);
	instruction_bytes(item, kernel->symbols, offset, size);
	instruction_line(dap, item, kernel->symbols, offset, last);
	if (!offset)
		field_add_text(item, "symbol", kernel->name);
}

/* Where there is none; a list is as long as was asked for. */
static void nothing_add(struct json_object *list, uint64_t address)
{
	struct json_object *item = array_add_object(list);

	field_add_address(item, "address", address);
	field_add_text(item, "instruction", "??");
	field_add_text(item, "presentationHint", "invalid");
}

/* From the kernel's start, as only that is where one is known to begin. */
static int64_t instruction_number(struct kernel *kernel, uint32_t to)
{
	uint32_t offset = 0, size;
	int64_t number = 0;

	while (offset < to && (size = gtdbg_code_size(kernel->code, offset))) {
		offset += size;
		number++;
	}
	return number;
}

static void code_list(struct dap *dap, struct kernel *kernel,
		      struct json_object *list, int64_t first, int64_t count)
{
	uint32_t offset = 0, size, last = 0;
	int64_t number = 0;

	for (; count && first < 0; first++, count--)
		nothing_add(list, kernel->address + 16 * first);
	while (count && (size = gtdbg_code_size(kernel->code, offset))) {
		if (number++ >= first) {
			instruction_add(dap, list, kernel, offset, size,
					&last);
			count--;
		}
		offset += size;
	}
	for (; count; count--, offset += 16)
		nothing_add(list, kernel->address + offset);
}

int dap_disassemble(struct dap *dap, struct json_object *arguments,
		    struct json_object *body)
{
	int64_t count = field_number(arguments, "instructionCount", 0);
	int64_t first = field_number(arguments, "instructionOffset", 0);
	struct debugger *debugger = &dap->debugger;
	struct kernel *kernel;
	uint64_t address;

	if (address_read(arguments, &address))
		return -1;
	if (count < 0 || count > INSTRUCTIONS_MAX ||
	    first < -INT32_MAX || first > INT32_MAX)
		return dap_fail("disassemble: instructionCount is from 0 to %d",
				INSTRUCTIONS_MAX);
	kernel = kernel_find_address(debugger, address);
	if (!kernel)
		return dap_fail("No kernel at address 0x%llx.",
				(unsigned long long)address);
	if (!kernel_code(debugger, kernel))
		return dap_fail("No disassembler: install libigc1.");
	kernel_symbols(debugger, kernel);
	first += instruction_number(kernel, address - kernel->address);
	code_list(dap, kernel, field_add_array(body, "instructions"), first,
		  count);
	return 0;
}
