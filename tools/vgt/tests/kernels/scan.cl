/* SPDX-License-Identifier: MIT */
/* All reductions and scans of groups and sub-groups, over the wider types. */
#define SCANS(over) \
	size_t i = get_global_id(0); \
\
	out[9 * i] = over##_reduce_add(in[i]); \
	out[9 * i + 1] = over##_reduce_min(in[i]); \
	out[9 * i + 2] = over##_reduce_max(in[i]); \
	out[9 * i + 3] = over##_scan_inclusive_add(in[i]); \
	out[9 * i + 4] = over##_scan_inclusive_min(in[i]); \
	out[9 * i + 5] = over##_scan_inclusive_max(in[i]); \
	out[9 * i + 6] = over##_scan_exclusive_add(in[i]); \
	out[9 * i + 7] = over##_scan_exclusive_min(in[i]); \
	out[9 * i + 8] = over##_scan_exclusive_max(in[i])

#ifdef __opencl_c_work_group_collective_functions
#define GROUP(type) \
kernel void group_##type(global const type *in, global type *out) \
{ \
	SCANS(work_group); \
}
GROUP(uint)
GROUP(long)
GROUP(ulong)
#endif

#ifdef cl_intel_required_subgroup_size
#define SUB_GROUP(type, n) \
kernel __attribute__((intel_reqd_sub_group_size(n))) \
void sub_##type##_##n(global const type *in, global type *out) \
{ \
	SCANS(sub_group); \
}
#define SUB_GROUPS(type) \
SUB_GROUP(type, 8) \
SUB_GROUP(type, 16) \
SUB_GROUP(type, 32)
SUB_GROUPS(uint)
SUB_GROUPS(long)
SUB_GROUPS(ulong)
#endif
