/* SPDX-License-Identifier: MIT */
/*
 * libgtdbg-symbols: lines, functions, frames, types, variables per SIMD lane,
 * and disassembly of GPU kernels. Nothing here needs a device, the kernel
 * module or libgtdbg; a stopped thread is read through &struct gtdbg_machine,
 * which libgtdbg makes (gtdbg_stop_machine()).
 *
 * A *program counter* (pc) in this header is an address as the debug
 * information counts it: for a kernel's own ELF, bytes from the start of the
 * kernel's code. Every call returns 0 or a count on success and a negative
 * errno on failure; results are untouched on failure. Strings and types that
 * a call hands out live as long as the symbols they came from. One
 * &struct gtdbg_symbols belongs to one thread at a time; several share nothing.
 * Any call may fail with ENOMEM.
 *
 * Files are not trusted: whatever is in one, a call ends, stays within memory
 * that it owns, and uses no more of it than a fixed multiple of the file's
 * size. It opens no other file on the word of one.
 */
#ifndef GTDBG_SYMBOLS_H
#define GTDBG_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef GTDBG_API
#define GTDBG_API __attribute__((visibility("default")))
#endif

struct gtdbg_symbols;

/**
 * gtdbg_symbols_create() - read a kernel's ELF
 * @elf: the file's bytes, copied
 * @len_bytes: their number
 * @out: the symbols
 *
 * Takes the compiler's debugger ELF (one kernel, addresses from 0), a
 * relocatable or loaded module (its debug relocations are applied), and CUDA's
 * modules and PTX text with their DWARF 2. A file without debug information is
 * accepted: it has code, but no lines. So is one whose debug information is
 * compressed or in another file. Fails with EINVAL for bytes that are neither a
 * little-endian 64-bit ELF nor PTX, and for an ELF whose tables of relocations
 * are longer than itself, and with EBADMSG for malformed PTX.
 *
 * In a CUDA module each function lies in its own section from address 0; there
 * a pc counts from the first of these sections in the file. PTX has no
 * addresses at all; there a pc is the number of a line of the text, from 1. Of
 * CUDA's threads only the innermost frame is found; for variables relative to
 * the frame, set its @frame_base to the call frame address.
 */
GTDBG_API int gtdbg_symbols_create(const void *elf, size_t len_bytes,
				   struct gtdbg_symbols **out);

/**
 * gtdbg_symbols_destroy() - free symbols; NULL is accepted
 * @symbols: the symbols
 */
GTDBG_API void gtdbg_symbols_destroy(struct gtdbg_symbols *symbols);

/**
 * gtdbg_symbols_text() - the kernel's machine code
 * @symbols: the symbols
 * @base_out: pc of its first byte, may be NULL
 * @len_bytes_out: its length
 *
 * Returns NULL if the file holds no code. The bytes live as long as @symbols.
 */
GTDBG_API const void *gtdbg_symbols_text(const struct gtdbg_symbols *symbols,
					 uint64_t *base_out,
					 size_t *len_bytes_out);

/**
 * gtdbg_symbols_cookie() - the number that ties a running kernel to this ELF
 * @symbols: the symbols
 * @cookie_out: the number in the kernel's first instruction
 *
 * Fails with ENOENT for code that was not built for a debugger.
 */
GTDBG_API int gtdbg_symbols_cookie(const struct gtdbg_symbols *symbols,
				   uint32_t *cookie_out);

/**
 * gtdbg_symbols_simd_width() - lanes of a thread of the code at @pc
 * @symbols: the symbols
 * @pc: address of an instruction
 *
 * Returns 0 if the debug information does not say.
 */
GTDBG_API uint32_t gtdbg_symbols_simd_width(struct gtdbg_symbols *symbols,
					    uint64_t pc);

/**
 * gtdbg_symbols_kernel() - name of the function at the start of the code
 * @symbols: the symbols
 *
 * Returns NULL if the debug information does not say.
 */
GTDBG_API const char *gtdbg_symbols_kernel(struct gtdbg_symbols *symbols);

/**
 * gtdbg_symbols_source() - path of the source file
 * @symbols: the symbols
 *
 * The path as the compiler was given it, with the compilation directory in
 * front if it is relative. Returns NULL if there is none.
 */
GTDBG_API const char *gtdbg_symbols_source(struct gtdbg_symbols *symbols);

/**
 * struct gtdbg_line - a range of code that belongs to one source line
 * @file: path as in the line table
 * @line: line number, from 1
 * @column: column, 0 if unknown
 * @start: pc of the first instruction
 * @end: pc after the last instruction
 * @is_statement: the range starts a statement
 */
struct gtdbg_line {
	const char *file;
	uint32_t line;
	uint32_t column;
	uint64_t start;
	uint64_t end;
	bool is_statement;
};

/**
 * gtdbg_line_find() - the source line of an instruction
 * @symbols: the symbols
 * @pc: address of an instruction
 * @out: the result
 *
 * Fails with ENOENT if @pc lies in no line.
 */
GTDBG_API int gtdbg_line_find(struct gtdbg_symbols *symbols, uint64_t pc,
			      struct gtdbg_line *out);

/**
 * gtdbg_line_addresses() - where to place a breakpoint on a line
 * @symbols: the symbols
 * @file: file name, compared from its last component; NULL matches all
 * @line: line number, from 1
 * @line_out: the line that was used, may be NULL
 * @pcs: the addresses, one per function or call that holds the line
 * @capacity: room in @pcs
 *
 * A line without code stands for the next one that has some in the same
 * function. A function that was merged into others has an address for each of
 * its calls. Returns the number of addresses, at most @capacity and 64; fails
 * with ENOENT if there is none.
 */
GTDBG_API int gtdbg_line_addresses(struct gtdbg_symbols *symbols,
				   const char *file, uint32_t line,
				   uint32_t *line_out, uint64_t *pcs,
				   size_t capacity);

/**
 * struct gtdbg_function - a function's code
 * @name: its name in the source
 * @file: where it is declared, NULL if unknown
 * @line: line of its declaration
 * @start: pc of its first instruction
 * @end: pc after its last instruction
 * @body: pc behind the prologue
 */
struct gtdbg_function {
	const char *name;
	const char *file;
	uint32_t line;
	uint64_t start;
	uint64_t end;
	uint64_t body;
};

/**
 * gtdbg_function_find() - the function that holds @pc, or ENOENT
 * @symbols: the symbols
 * @pc: address of an instruction
 * @out: the result
 */
GTDBG_API int gtdbg_function_find(struct gtdbg_symbols *symbols, uint64_t pc,
				  struct gtdbg_function *out);

/**
 * gtdbg_function_find_name() - a function by its name, or ENOENT
 * @symbols: the symbols
 * @name: its name
 * @out: the result
 */
GTDBG_API int gtdbg_function_find_name(struct gtdbg_symbols *symbols,
				       const char *name,
				       struct gtdbg_function *out);

/**
 * gtdbg_function_find_copies() - where a function was merged into others
 * @symbols: the symbols
 * @name: its name
 * @list: for each such call its code, from the first instruction to the last
 * @capacity: room in @list
 *
 * Returns how many there are, at most @capacity.
 */
GTDBG_API int gtdbg_function_find_copies(struct gtdbg_symbols *symbols,
					 const char *name,
					 struct gtdbg_function *list,
					 size_t capacity);

/* Kinds of types; see &struct gtdbg_type. */
#define GTDBG_TYPE_INTEGER	1
#define GTDBG_TYPE_UNSIGNED	2
#define GTDBG_TYPE_FLOAT	3
#define GTDBG_TYPE_BOOLEAN	4
#define GTDBG_TYPE_CHARACTER	5
#define GTDBG_TYPE_POINTER	6
#define GTDBG_TYPE_STRUCT	7
#define GTDBG_TYPE_UNION	8
#define GTDBG_TYPE_ARRAY	9
#define GTDBG_TYPE_VECTOR	10
#define GTDBG_TYPE_ENUM		11
#define GTDBG_TYPE_FUNCTION	12
#define GTDBG_TYPE_VOID		13

struct gtdbg_type;

/**
 * struct gtdbg_member - a member of a struct, or a name of an enum
 * @name: its name; NULL for a member without one
 * @type: its type, NULL for an enum's name
 * @offset_bytes: its offset in the struct
 * @value: the enum name's value
 * @bit_count: of a bit-field, which is a part of what lies there; 0: it is none
 * @bit_offset: of a bit-field, from the least significant bit on
 */
struct gtdbg_member {
	const char *name;
	const struct gtdbg_type *type;
	uint64_t offset_bytes;
	int64_t value;
	uint32_t bit_count;
	uint32_t bit_offset;
};

/**
 * struct gtdbg_type - a type, with typedefs and qualifiers taken off
 * @kind: one of GTDBG_TYPE_*
 * @name: its name as the source spells it, e.g. "size_t" or "float4"
 * @size_bytes: size of a value
 * @count: elements of an array or vector
 * @address_class: address space of a pointer's target as the compiler
 *	numbers it, 0 if none is given
 * @target: element of an array or vector, or what a pointer points to, which
 *	may be of kind GTDBG_TYPE_VOID; the number that an enum is; NULL for other kinds
 * @members: members of a struct or union, names of an enum
 * @member_count: their number
 *
 * Members lie within their struct, and nothing contains itself but by pointer.
 */
struct gtdbg_type {
	uint32_t kind;
	const char *name;
	uint64_t size_bytes;
	uint64_t count;
	uint32_t address_class;
	const struct gtdbg_type *target;
	const struct gtdbg_member *members;
	size_t member_count;
};

/**
 * gtdbg_type_find_name() - a type by the name that the source gives it
 * @symbols: the symbols
 * @name: its name
 * @out: the result
 *
 * Finds base types, typedefs, structs and enums of the program, and C's basic
 * types even if the program does not use them. Fails with ENOENT.
 */
GTDBG_API int gtdbg_type_find_name(struct gtdbg_symbols *symbols,
				   const char *name,
				   const struct gtdbg_type **out);

/**
 * gtdbg_enumerator_find() - a name of an enum
 * @symbols: the symbols
 * @name: its name
 * @type: the enum, but with int for what it is, as C has it of names
 * @value: its value
 *
 * Of the program's enums, wherever they are declared. Fails with ENOENT.
 */
GTDBG_API int gtdbg_enumerator_find(struct gtdbg_symbols *symbols,
				    const char *name,
				    const struct gtdbg_type **type,
				    int64_t *value);

/* Elements of the longest vector. */
#define GTDBG_VECTOR_MAX	16

/**
 * gtdbg_vector_components() - what the word behind a vector's dot picks
 * @type: a vector
 * @name: as OpenCL C has it: "x", "wzyx", "rgb", "s0", "sAf", "lo", "odd"
 * @out: which elements these are, in this order
 *
 * Vectors of three have a fourth element that lo, hi, even and odd know. Returns how many
 * there are; fails with ENOENT if @name is none of this vector's.
 */
GTDBG_API int gtdbg_vector_components(const struct gtdbg_type *type,
				      const char *name,
				      uint8_t out[GTDBG_VECTOR_MAX]);

/**
 * gtdbg_type_pointer() - the type of a pointer to @target
 * @symbols: the symbols
 * @target: the type pointed to
 * @out: the result
 *
 * @target has to come from the same symbols, or from no file at all.
 */
GTDBG_API int gtdbg_type_pointer(struct gtdbg_symbols *symbols,
				 const struct gtdbg_type *target,
				 const struct gtdbg_type **out);

/* Size of a register of the register file. */
#define GTDBG_GRF_BYTES		32

/**
 * struct gtdbg_machine - state of one stopped thread, as a reader sees it
 * @context: handed back to the calls
 * @register_read: reads @len bytes of the register file, register N starting
 *	at byte GTDBG_GRF_BYTES * N
 * @memory_read: reads memory through the thread's address space; an address
 *	with 0x09 or 0x0a in its top byte is one of scratch or local memory, as
 *	is one with 2 in its three highest bits of local memory
 *
 * Both calls return 0 or a negative errno.
 */
struct gtdbg_machine {
	void *context;
	int (*register_read)(void *context, uint32_t offset_bytes, void *buf,
			     size_t len_bytes);
	int (*memory_read)(void *context, uint64_t address, void *buf,
			   size_t len_bytes);
};

/**
 * struct gtdbg_frame - one function on a thread's stack
 * @level: 0 is where the thread stands
 * @pc: instruction that is executed next in this function
 * @lookup_pc: address by which to find line and variables; in a caller it
 *	lies in the call
 * @lanes: mask of the lanes that take part
 * @function: name, NULL if unknown
 * @file: source file, NULL if unknown
 * @line: line, 0 if unknown
 * @is_inlined: the compiler has merged the function into the next frame's
 * @frame_base: front-end frame pointer, 0 in functions without one
 * @scope: identifies the function to gtdbg_variable_list()
 */
struct gtdbg_frame {
	uint32_t level;
	uint64_t pc;
	uint64_t lookup_pc;
	uint32_t lanes;
	const char *function;
	const char *file;
	uint32_t line;
	bool is_inlined;
	uint64_t frame_base;
	uint64_t scope;
};

/**
 * gtdbg_frame_register() - where functions keep what they need to return
 * @symbols: the symbols of a kernel
 *
 * Returns the number of a general register, 125 or 127. Its dwords are the address to
 * return to, a mask, the stack's pointer, which grows with each call, and the frame's.
 */
GTDBG_API uint32_t gtdbg_frame_register(const struct gtdbg_symbols *symbols);

/**
 * gtdbg_frame_result() - where a function leaves what it returns
 * @symbols: the symbols of a kernel
 * @pc: address of an instruction of the function
 * @lane: the lane
 * @type_out: its type
 * @offset_bytes_out: where it is in the register file, from r0 on, when the function has
 *	returned and nothing else was executed yet
 *
 * Functions return so that are called with a frame: not those that were merged into others.
 * Fails with ENOENT if there is no such function, or it returns nothing, and with EOPNOTSUPP
 * for vectors and structs, and in kernels of the newer format (zebin).
 */
GTDBG_API int gtdbg_frame_result(struct gtdbg_symbols *symbols, uint64_t pc,
				 uint32_t lane,
				 const struct gtdbg_type **type_out,
				 uint32_t *offset_bytes_out);

/**
 * gtdbg_frame_unwind() - the call stack of a thread
 * @symbols: the symbols of the kernel that it runs
 * @machine: its state
 * @pc: where it stands
 * @lanes: its active lanes
 * @code_base: what to take off a return address on the stack to get a pc
 * @frames: the frames, innermost first
 * @capacity: room in @frames
 *
 * Returns the number of frames, at most @capacity; there always is one. A stack
 * that cannot be read further ends there.
 */
GTDBG_API int gtdbg_frame_unwind(struct gtdbg_symbols *symbols,
				 const struct gtdbg_machine *machine,
				 uint64_t pc, uint32_t lanes,
				 uint64_t code_base,
				 struct gtdbg_frame *frames, size_t capacity);

/**
 * struct gtdbg_variable - a variable or parameter
 * @name: its name
 * @type: its type
 * @is_parameter: it is a parameter
 * @line: line of its declaration
 * @address_class: address space that it lies in, as the compiler numbers it
 *	(GTDBG_CUDA_* for CUDA), 0 if none is given
 * @id: identifies it to gtdbg_variable_locate()
 */
struct gtdbg_variable {
	const char *name;
	const struct gtdbg_type *type;
	bool is_parameter;
	uint32_t line;
	uint32_t address_class;
	uint64_t id;
};

/* Address spaces of CUDA. */
#define GTDBG_CUDA_REGISTER	2
#define GTDBG_CUDA_CONSTANT	4
#define GTDBG_CUDA_GLOBAL	5
#define GTDBG_CUDA_LOCAL	6
#define GTDBG_CUDA_PARAMETER	7
#define GTDBG_CUDA_SHARED	8

/**
 * gtdbg_variable_list() - the variables that a frame sees, innermost first
 * @symbols: the symbols
 * @frame: the frame
 * @variables: where they go
 * @capacity: how much there is room for
 *
 * Leaves out what the compiler has invented. Returns their number, at most
 * @capacity.
 */
GTDBG_API int gtdbg_variable_list(struct gtdbg_symbols *symbols,
				  const struct gtdbg_frame *frame,
				  struct gtdbg_variable *variables,
				  size_t capacity);

/**
 * gtdbg_variable_find() - the variable that @name means in a frame, or ENOENT
 * @symbols: the symbols
 * @frame: the frame
 * @name: its name
 * @out: the result
 */
GTDBG_API int gtdbg_variable_find(struct gtdbg_symbols *symbols,
				  const struct gtdbg_frame *frame,
				  const char *name,
				  struct gtdbg_variable *out);

/* Kinds of locations; see &struct gtdbg_location. */
#define GTDBG_LOCATION_MEMORY	1
#define GTDBG_LOCATION_REGISTER	2
#define GTDBG_LOCATION_VALUE	3

#define GTDBG_LOCATION_VALUE_MAX 128
#define GTDBG_REGISTER_NAME_MAX	8
/* Offset in the register file of a register that has only a name. */
#define GTDBG_REGISTER_UNMAPPED	UINT32_MAX

/**
 * struct gtdbg_location - where the value of a variable is
 * @kind: one of GTDBG_LOCATION_*
 * @address: memory: its address
 * @symbol: memory: what @address is an offset from, NULL for an address; a
 *	loader decides where it lies
 * @register_offset_bytes: register: offset in the register file, or
 *	GTDBG_REGISTER_UNMAPPED
 * @register_name: register without an offset: its name in PTX, as "%r24". The
 *	assembler of PTX has put it elsewhere, so its value cannot be read
 * @value: value: the bytes themselves
 * @value_len_bytes: their number
 */
struct gtdbg_location {
	uint32_t kind;
	uint64_t address;
	const char *symbol;
	uint32_t register_offset_bytes;
	char register_name[GTDBG_REGISTER_NAME_MAX + 1];
	uint8_t value[GTDBG_LOCATION_VALUE_MAX];
	size_t value_len_bytes;
};

/**
 * gtdbg_variable_locate() - find a variable of one lane
 * @symbols: the symbols
 * @frame: the frame that sees it
 * @variable: the variable
 * @machine: state of the thread
 * @lane: the lane, from 0
 * @out: its location
 *
 * The compiler names a register that holds a variable's address only while it
 * still needs it, and does not say for how long. The code is examined for
 * that, so that a wrong address is never handed out. In optimised code, the
 * same is done for registers that hold values: instructions may have been moved
 * behind the place where a value is said to begin. Fails with ENODATA if the
 * variable was optimised out, EAGAIN if its value has not been made yet, ESTALE
 * if it is not needed any more, or its register has been used for something
 * else, by a called function for instance; EOPNOTSUPP for a location that this
 * library cannot evaluate, EBADMSG for a malformed one; and with what the
 * machine's calls returned.
 */
GTDBG_API int gtdbg_variable_locate(struct gtdbg_symbols *symbols,
				    const struct gtdbg_frame *frame,
				    const struct gtdbg_variable *variable,
				    const struct gtdbg_machine *machine,
				    uint32_t lane, struct gtdbg_location *out);

/**
 * gtdbg_group_read() - the number of a thread's group
 * @symbols: of the kernel
 * @machine: the thread
 * @dimension: 0 to 2
 * @group_out: as get_group_id() gives it
 *
 * Fails with EOPNOTSUPP without a decoder of the code, and EINVAL.
 */
GTDBG_API int gtdbg_group_read(struct gtdbg_symbols *symbols,
			       const struct gtdbg_machine *machine,
			       uint32_t dimension, uint32_t *group_out);

/**
 * gtdbg_item_read() - the number of a lane's work-item
 * @symbols: of the kernel
 * @pc: where the thread stands, in its innermost function
 * @machine: the thread
 * @lane: the lane
 * @dimension: 0 to 2
 * @item_out: as get_global_id() gives it
 *
 * It is computed from what the thread was started with: in a dimension in which a
 * group has one item, without its number there. Fails with EOPNOTSUPP in
 * code that does not show where that is, ESTALE where it was written over, in
 * functions, and behind calls, and EINVAL.
 */
GTDBG_API int gtdbg_item_read(struct gtdbg_symbols *symbols, uint64_t pc,
			      const struct gtdbg_machine *machine, uint32_t lane,
			      uint32_t dimension, uint32_t *item_out);

/**
 * gtdbg_item_local_read() - the number of a lane's work-item in its group
 * @symbols: of the kernel
 * @pc: where the thread stands, in its innermost function
 * @machine: the thread
 * @lane: the lane
 * @dimension: 0 to 2
 * @item_out: as get_local_id() gives it
 *
 * Fails as gtdbg_item_read().
 */
GTDBG_API int gtdbg_item_local_read(struct gtdbg_symbols *symbols, uint64_t pc,
				    const struct gtdbg_machine *machine,
				    uint32_t lane, uint32_t dimension,
				    uint32_t *item_out);

/* Room that the longest program needs. */
#define GTDBG_PROGRAM_BYTES_MAX	400

/**
 * gtdbg_condition_compile() - a condition that the GPU can decide
 * @symbols: the symbols
 * @pc: where it is to be decided
 * @condition: comparisons, joined by &&, ||, ! and parentheses
 * @program: where the program goes, for gtdbg_breakpoint_program()
 * @capacity: how much there is room for
 * @why: where a refusal is explained, as text
 * @why_bytes: how much there is room for
 *
 * The condition holds for a thread if it does for one of its active lanes. What is
 * compared is a variable, a member or a vector's element of one, a number of 8, 16 or 32
 * bits in private or local memory or of 32 in registers; an element of an array there, by up to two
 * indices, each a number or computed; what a pointer leads to, also by such indices, if it
 * leads to local memory or lies in memory itself; or the number of a work-item or of its
 * group as get_global_id() and get_group_id() have it: $item.x, $group.z. Alone it is true if it
 * is not zero. Names of enums are numbers. Of such numbers and of those in the text others are computed in 32 bits, as
 * in C: by + - * & | ^ ~, and by shifts, / and % by a number. With a variable of 64 bits in
 * memory it is 31 bits without a sign, without ~ and a sign before it: a thread with a larger
 * number, or one less than 0, stops, whatever the condition. Those variables, and floats, are
 * compared with numbers as they are; these may have a fraction if it is a float's.
 *
 * Returns the program's length. With a text in @why it decides a part: threads for
 * which the condition holds stop, and so do others; else that is empty. Fails with
 * EOPNOTSUPP and @why if all of it is left to who debugs, and EMSGSIZE.
 */
GTDBG_API int gtdbg_condition_compile(struct gtdbg_symbols *symbols,
				      uint64_t pc, const char *condition,
				      void *program, size_t capacity,
				      char *why, size_t why_bytes);

/* Values of 32 bits, three to a record. */
#define GTDBG_CAPTURES_MAX	15

/**
 * struct gtdbg_capture - a number of a record
 * @name: in: a variable's name, or what is computed as in conditions
 * @type: of a variable of 32 or 64 bits: its type, which belongs to the symbols; else
 *	NULL: it is a number of 32 bits
 * @is_unsigned: such a number has no sign
 * @first: which of the values it is: value @first % 3 of the record @first / 3; those
 *	for which a thread may stop come first, so it does not rise from one to the next
 * @count: how many of them, of 32 bits each: 1, or 2 with the lower half first
 */
struct gtdbg_capture {
	const char *name;
	const struct gtdbg_type *type;
	bool is_unsigned;
	uint32_t first;
	uint32_t count;
};

/**
 * gtdbg_record_compile() - values that threads of the GPU write down and run on
 * @symbols: the symbols
 * @pc: where
 * @captures: the numbers
 * @count: how many
 * @condition: as for gtdbg_condition_compile(), for each lane; NULL: always
 * @tag: what the records are recognised by: the first one has this tag, each one that
 *	follows with more than three values the next one
 * @program: where the program goes, for gtdbg_breakpoint_program()
 * @capacity: how much there is room for
 * @why: where a refusal is explained, as text
 * @why_bytes: how much there is room for
 *
 * Numbers are variables of 32 or 64 bits, also floats and pointers, where conditions find
 * them, and what conditions compute. A thread for which that stops (what pointers to global
 * memory lead to, elements by variables, numbers of 64 bits that are computed)
 * has written nothing: whoever debugs prints for all of its lanes. With more than three values
 * of these, or threads of more than eight lanes, the program is %GTDBG_SIP_OP_SURE: it needs a
 * routine and a module that know this. A condition for more than three values is on the thread's
 * own variables. All in all there may be
 * %GTDBG_CAPTURES_MAX values, as far as the program's operations reach. A thread's records
 * come in their order, with others' between them.
 * Records arrive as GTDBG_EVENT_THREAD_RECORD. Returns the program's length; fails
 * with EOPNOTSUPP and @why if threads have to be stopped for this, and EMSGSIZE.
 */
GTDBG_API int gtdbg_record_compile(struct gtdbg_symbols *symbols, uint64_t pc,
				   struct gtdbg_capture *captures, size_t count,
				   const char *condition, uint32_t tag,
				   void *program, size_t capacity, char *why,
				   size_t why_bytes);

struct gtdbg_code;

/**
 * gtdbg_code_create() - decode machine code
 * @bytes: the code, copied
 * @len_bytes: its length
 * @out: the decoded code
 *
 * Uses the disassembler of the graphics compiler, loaded at the first call.
 * Fails with ENOSYS if it is not installed. Different codes may be used by
 * different threads.
 */
GTDBG_API int gtdbg_code_create(const void *bytes, size_t len_bytes,
				struct gtdbg_code **out);

/**
 * gtdbg_code_destroy() - free decoded code; NULL is accepted
 * @code: the code
 */
GTDBG_API void gtdbg_code_destroy(struct gtdbg_code *code);

/**
 * gtdbg_code_size() - length of the instruction at @offset_bytes
 * @code: the code
 * @offset_bytes: the instruction's offset
 *
 * Returns 8 or 16, or 0 if no instruction starts there.
 */
GTDBG_API uint32_t gtdbg_code_size(const struct gtdbg_code *code,
				   uint32_t offset_bytes);

/**
 * gtdbg_code_text() - disassemble the instruction at @offset_bytes
 * @code: the code
 * @offset_bytes: the instruction's offset
 * @text: where the text goes
 * @capacity: how much there is room for
 *
 * Fails with ENOENT if no instruction starts there. The text is cut to
 * @capacity and always ends with a NUL.
 */
GTDBG_API int gtdbg_code_text(const struct gtdbg_code *code,
			      uint32_t offset_bytes, char *text,
			      size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
