/* SPDX-License-Identifier: MIT */
/* Conversions: plain, saturating, and with each rounding mode. */

kernel void int_narrow(global const int *in, global char *c, global uchar *uc,
		       global short *s, global ushort *us)
{
	size_t i = get_global_id(0);

	c[2 * i] = in[i];
	c[2 * i + 1] = convert_char_sat(in[i]);
	uc[2 * i] = in[i];
	uc[2 * i + 1] = convert_uchar_sat(in[i]);
	s[2 * i] = in[i];
	s[2 * i + 1] = convert_short_sat(in[i]);
	us[2 * i] = in[i];
	us[2 * i + 1] = convert_ushort_sat(in[i]);
}

kernel void int_extend(global const char *c, global const uchar *uc,
		       global const short *s, global const ushort *us,
		       global int *out)
{
	size_t i = get_global_id(0);

	out[4 * i] = c[i];
	out[4 * i + 1] = uc[i];
	out[4 * i + 2] = s[i];
	out[4 * i + 3] = us[i];
}

kernel void float_to_int(global const float *in, global int *out,
			 global uint *uout)
{
	size_t i = get_global_id(0);
	float x = in[i];

	out[5 * i] = convert_int(x);
	out[5 * i + 1] = convert_int_rte(x);
	out[5 * i + 2] = convert_int_rtp(x);
	out[5 * i + 3] = convert_int_rtn(x);
	out[5 * i + 4] = convert_int_rtz(x);
	uout[2 * i] = convert_uint(fabs(x));
	uout[2 * i + 1] = convert_uint_rte(fabs(x));
}

kernel void float_to_small_sat(global const float *in, global char *c,
			       global uchar *uc, global short *s,
			       global ushort *us, global int *n,
			       global uint *un)
{
	size_t i = get_global_id(0);
	float x = in[i];

	c[i] = convert_char_sat_rte(x);
	uc[i] = convert_uchar_sat_rtp(x);
	s[i] = convert_short_sat_rtn(x);
	us[i] = convert_ushort_sat(x);
	n[i] = convert_int_sat(x);
	un[i] = convert_uint_sat(x);
}

kernel void int_to_float(global const int *in, global const uint *uin,
			 global float *out)
{
	size_t i = get_global_id(0);

	out[5 * i] = in[i];
	out[5 * i + 1] = convert_float_rtp(in[i]);
	out[5 * i + 2] = convert_float_rtn(in[i]);
	out[5 * i + 3] = convert_float_rtz(in[i]);
	out[5 * i + 4] = uin[i];
}

kernel void small_to_float(global const char *c, global const uchar *uc,
			   global const short *s, global const ushort *us,
			   global float *out)
{
	size_t i = get_global_id(0);

	out[4 * i] = c[i] * 0.5f;
	out[4 * i + 1] = uc[i] + 0.25f;
	out[4 * i + 2] = s[i];
	out[4 * i + 3] = us[i] - 1.0f;
}

kernel void long_to_float(global const long *in, global const ulong *uin,
			  global float *out)
{
	size_t i = get_global_id(0);

	out[2 * i] = in[i];
	out[2 * i + 1] = uin[i];
}

kernel void float_to_long(global const float *in, global long *out,
			  global ulong *uout)
{
	size_t i = get_global_id(0);

	out[2 * i] = convert_long(in[i]);
	out[2 * i + 1] = convert_long_rte(in[i]);
	uout[i] = convert_ulong(fabs(in[i]));
}

kernel void long_narrow(global const long *in, global int *out,
			global uchar *bytes)
{
	size_t i = get_global_id(0);

	out[2 * i] = in[i];
	out[2 * i + 1] = convert_int_sat(in[i]);
	bytes[2 * i] = in[i];
	bytes[2 * i + 1] = convert_uchar_sat(in[i]);
}

kernel void half_load_store(global const half *in, global const float *wide,
			    global float *out, global half *rte,
			    global half *rtz, global half *rtp,
			    global half *rtn)
{
	size_t i = get_global_id(0);

	out[i] = vload_half(i, in);
	vstore_half_rte(wide[i], i, rte);
	vstore_half_rtz(wide[i], i, rtz);
	vstore_half_rtp(wide[i], i, rtp);
	vstore_half_rtn(wide[i], i, rtn);
}

kernel void half_vectors(global const half *in, global half *out)
{
	size_t i = get_global_id(0);
	float4 x = vload_half4(i, in);
	float2 y = vload_half2(2 * i + 1, in);

	vstore_half4(x.wzyx * 2.0f, i, out);
	vstore_half2(y + x.xy, 2 * i, out);
}

kernel void reinterpret(global const uint *in, global uint *out)
{
	size_t i = get_global_id(0);

	out[4 * i] = as_uint(as_float(in[i]));
	out[4 * i + 1] = as_uint(-as_float(in[i] & 0x7f7fffff));
	out[4 * i + 2] = as_uint(fabs(as_float(in[i] & 0xff7fffff)));
	out[4 * i + 3] = as_uint(as_ushort2(in[i]).yx);
}
