/* SPDX-License-Identifier: MIT */
/*
 * An assertion that fails as SYCL's do, for assert.sh: its device library has these
 * two functions, with these names and parameters, and programs are linked with them.
 * in[i] is i + 100.
 */
void __devicelib_assert_fail(constant char *expr, constant char *file, int line,
			     constant char *func, ulong gid0, ulong gid1,
			     ulong gid2, ulong lid0, ulong lid1, ulong lid2)
{
	printf("%s %d\n", expr, line);
}

void __assert_fail(constant char *expr, constant char *file, unsigned int line,
		   constant char *func)
{
	__devicelib_assert_fail(expr, file, line, func, get_global_id(0),
				get_global_id(1), get_global_id(2),
				get_local_id(0), get_local_id(1),
				get_local_id(2));
}

#define assert(e) \
	((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))

kernel void called(global int *in, global int *out)
{
	int point = in[get_global_id(0)] % 7;

	assert(point > 0);
	out[get_global_id(0)] = point;
}
