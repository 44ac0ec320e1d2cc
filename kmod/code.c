// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions have 8 or 16 bytes, so where one begins follows from all before it.
 * Code is decoded once, by who registers it and with no lock held: whoever asks
 * later looks at a bit.
 */
#include "code.h"

#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account.h"
#include "platform.h"

#define CODE_UNIT_BYTES 8
#define CODE_CHUNK_BYTES 16384

static u64 code_units(const struct gtdbg_code *code)
{
	return DIV_ROUND_UP(code->isa.len_bytes, CODE_UNIT_BYTES);
}

static int bits_alloc(struct gtdbg_code *code, unsigned long **bits)
{
	u64 bytes = BITS_TO_LONGS(code_units(code)) * sizeof(long);
	int ret;

	ret = gtdbg_account_charge(code->account, GTDBG_ACCOUNT_BYTES, bytes);
	if (ret)
		return ret;
	code->bits_bytes += bytes;
	*bits = kvzalloc(bytes, GFP_KERNEL_ACCOUNT);
	return *bits ? 0 : -ENOMEM;
}

static int assert_note(struct gtdbg_code *code, u64 offset)
{
	int ret = 0;

	if (!code->asserts)
		ret = bits_alloc(code, &code->asserts);
	if (!ret)
		__set_bit(offset / CODE_UNIT_BYTES, code->asserts);
	return ret;
}

/*
 * Note the starts in @chunk, whose first byte is at @at; where the next one is.
 * An instruction that is not all in the chunk begins the next one.
 */
static s64 code_decode_chunk(struct gtdbg_code *code, const u8 *chunk,
			     size_t len_bytes, u64 at)
{
	bool is_last = at + len_bytes >= code->isa.len_bytes;
	u64 pos = 0, end;
	u32 dword[4];
	int ret;

	while (pos + sizeof(dword[0]) <= len_bytes) {
		memcpy(dword, chunk + pos, sizeof(dword[0]));
		end = pos + gtdbg_inst_len_bytes(dword[0]);
		if (end > len_bytes && !is_last)
			break;
		__set_bit((at + pos) / CODE_UNIT_BYTES, code->starts);
		if (end - pos == sizeof(dword) && end <= len_bytes) {
			memcpy(dword, chunk + pos, sizeof(dword));
			ret = gtdbg_inst_is_assert(dword) ?
				      assert_note(code, at + pos) : 0;
			if (ret)
				return ret;
		}
		pos = end;
	}
	return at + pos;
}

static int code_decode(struct gtdbg_code *code)
{
	u8 *chunk = kmalloc(CODE_CHUNK_BYTES, GFP_KERNEL);
	ssize_t bytes;
	s64 ret = 0;
	u64 at = 0;

	if (!chunk)
		return -ENOMEM;
	while (at < code->isa.len_bytes) {
		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		bytes = gtdbg_blob_read(&code->isa, at, chunk,
					CODE_CHUNK_BYTES);
		if (bytes < (ssize_t)sizeof(u32))
			break;
		ret = code_decode_chunk(code, chunk, bytes, at);
		if (ret < 0)
			break;
		at = ret;
		ret = 0;
		cond_resched();
	}
	kfree(chunk);
	return ret;
}

static int code_map(struct gtdbg_code *code)
{
	if (!code_units(code))
		return 0;
	return bits_alloc(code, &code->starts) ?: code_decode(code);
}

struct gtdbg_code *gtdbg_code_create(struct gtdbg_account *account, u64 address,
				     u64 len_bytes)
{
	struct gtdbg_code *code = kzalloc(sizeof(*code), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!code)
		return ERR_PTR(-ENOMEM);
	kref_init(&code->ref);
	code->account = account;
	ret = gtdbg_blob_init(&code->isa, account, address, len_bytes) ?:
	      code_map(code);
	if (ret) {
		gtdbg_code_put(code);
		return ERR_PTR(ret);
	}
	return code;
}

struct gtdbg_code *gtdbg_code_get(struct gtdbg_code *code)
{
	kref_get(&code->ref);
	return code;
}

static void code_free(struct kref *ref)
{
	struct gtdbg_code *code = container_of(ref, struct gtdbg_code, ref);

	kvfree(code->starts);
	kvfree(code->asserts);
	gtdbg_account_uncharge(code->account, GTDBG_ACCOUNT_BYTES,
			       code->bits_bytes);
	gtdbg_blob_fini(&code->isa);
	kfree(code);
}

void gtdbg_code_put(struct gtdbg_code *code)
{
	if (code)
		kref_put(&code->ref, code_free);
}

int gtdbg_code_check_offset(const struct gtdbg_code *code, u64 offset)
{
	if (!code->starts)
		return 0;
	if (offset >= code->isa.len_bytes || offset % CODE_UNIT_BYTES ||
	    !test_bit(offset / CODE_UNIT_BYTES, code->starts))
		return -EINVAL;
	return 0;
}

u64 gtdbg_code_next(const struct gtdbg_code *code, u64 offset)
{
	u64 units = code_units(code), unit;

	unit = DIV_ROUND_UP(offset, CODE_UNIT_BYTES);
	if (!code->starts || unit >= units)
		return code->isa.len_bytes;
	unit = find_next_bit(code->starts, units, unit);
	return min(unit * CODE_UNIT_BYTES, code->isa.len_bytes);
}

u64 gtdbg_code_next_assert(const struct gtdbg_code *code, u64 offset)
{
	u64 units = code_units(code), unit;

	unit = DIV_ROUND_UP(offset, CODE_UNIT_BYTES);
	if (!code->asserts || unit >= units)
		return code->isa.len_bytes;
	unit = find_next_bit(code->asserts, units, unit);
	return min(unit * CODE_UNIT_BYTES, code->isa.len_bytes);
}
