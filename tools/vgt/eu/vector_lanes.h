/* SPDX-License-Identifier: MIT */
/* What is computed, for LANES lanes: 1 or 8. Included once for each. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define N(name) JOIN(name, LANES)
#define U JOIN(u, LANES)
#define D JOIN(d, LANES)
#define F JOIN(f, LANES)
#define MASK JOIN(MASK, LANES)
#define CONVERT JOIN(CONVERT, LANES)
#define AS_F(x) JOIN(AS_F, LANES)(x)
#define AS_D(x) JOIN(AS_D, LANES)(x)
#define AS_U(x) JOIN(AS_U, LANES)(x)

INLINE U N(choose_)(U mask, U yes, U no)
{
	return (yes & mask) | (no & ~mask);
}

INLINE U N(compare_)(enum vgt_vector_op op, U a, U b)
{
	switch (op) {
	case VGT_VECTOR_EQ_D:
		return MASK(a == b);
	case VGT_VECTOR_NE_D:
		return MASK(a != b);
	case VGT_VECTOR_GT_D:
		return MASK(AS_D(a) > AS_D(b));
	case VGT_VECTOR_GE_D:
		return MASK(AS_D(a) >= AS_D(b));
	case VGT_VECTOR_LT_D:
		return MASK(AS_D(a) < AS_D(b));
	case VGT_VECTOR_LE_D:
		return MASK(AS_D(a) <= AS_D(b));
	case VGT_VECTOR_GT_UD:
		return MASK(a > b);
	case VGT_VECTOR_GE_UD:
		return MASK(a >= b);
	case VGT_VECTOR_LT_UD:
		return MASK(a < b);
	case VGT_VECTOR_LE_UD:
		return MASK(a <= b);
	case VGT_VECTOR_EQ_F:
		return MASK(AS_F(a) == AS_F(b));
	case VGT_VECTOR_NE_F:
		return MASK(AS_F(a) != AS_F(b));
	case VGT_VECTOR_GT_F:
		return MASK(AS_F(a) > AS_F(b));
	case VGT_VECTOR_GE_F:
		return MASK(AS_F(a) >= AS_F(b));
	case VGT_VECTOR_LT_F:
		return MASK(AS_F(a) < AS_F(b));
	default:
		return MASK(AS_F(a) <= AS_F(b));
	}
}

/* The operand that wins if the other is no number is the number. */
INLINE U N(minmax_)(enum vgt_vector_op op, U a, U b)
{
	U first;

	switch (op) {
	case VGT_VECTOR_MIN_D:
		first = MASK(AS_D(a) < AS_D(b));
		break;
	case VGT_VECTOR_MAX_D:
		first = MASK(AS_D(a) >= AS_D(b));
		break;
	case VGT_VECTOR_MIN_UD:
		first = MASK(a < b);
		break;
	case VGT_VECTOR_MAX_UD:
		first = MASK(a >= b);
		break;
	case VGT_VECTOR_MIN_F:
		first = MASK(AS_F(a) < AS_F(b)) | MASK(AS_F(b) != AS_F(b));
		break;
	default:
		first = MASK(AS_F(a) >= AS_F(b)) | MASK(AS_F(b) != AS_F(b));
	}
	return N(choose_)(first, a, b);
}

INLINE F N(from_signed_)(U a)
{
	return CONVERT(AS_D(a), F);
}

/* Both halves are exact: the sum rounds once. */
INLINE F N(from_unsigned_)(U a)
{
	return N(from_signed_)(a >> 16) * 65536.0f +
	       N(from_signed_)(a & 0xffff);
}

/* Too large becomes the largest, not a number becomes 0. */
INLINE U N(to_signed_)(U a)
{
	F v = AS_F(a);
	U out = AS_U(CONVERT(v, D));

	out = N(choose_)(MASK(v >= 0x1p31f), N(splat)(INT32_MAX), out);
	return out & MASK(v == v);
}

INLINE U N(round_)(enum vgt_vector_op op, U a)
{
	float x[LANES];
	U out;

	memcpy(x, &a, sizeof(x));
	for (int i = 0; i < LANES; i++)
		x[i] = op == VGT_VECTOR_RNDD ? floorf(x[i]) :
		       truncf(x[i]);
	memcpy(&out, x, sizeof(out));
	return out;
}

INLINE U N(compute_)(enum vgt_vector_op op, U a, U b, U c)
{
	switch (op) {
	case VGT_VECTOR_MOV:
		return a;
	case VGT_VECTOR_NOT:
		return ~a;
	case VGT_VECTOR_F_FROM_D:
		return AS_U(N(from_signed_)(a));
	case VGT_VECTOR_F_FROM_UD:
		return AS_U(N(from_unsigned_)(a));
	case VGT_VECTOR_D_FROM_F:
		return N(to_signed_)(a);
	case VGT_VECTOR_RNDD:
	case VGT_VECTOR_RNDZ:
		return N(round_)(op, a);
	case VGT_VECTOR_ADD_D:
	case VGT_VECTOR_ADDC:
		return a + b;
	case VGT_VECTOR_SUBB:
		return a - b;
	case VGT_VECTOR_MUL_D:
		return a * b;
	case VGT_VECTOR_MAD_D:
		return a + b * c;
	case VGT_VECTOR_AND:
		return a & b;
	case VGT_VECTOR_OR:
		return a | b;
	case VGT_VECTOR_XOR:
		return a ^ b;
	case VGT_VECTOR_SHL:
		return a << (b & 31);
	case VGT_VECTOR_SHR:
		return a >> (b & 31);
	case VGT_VECTOR_ASR:
		return AS_U(AS_D(a) >> (AS_D(b) & 31));
	case VGT_VECTOR_ROL:
		return a << (b & 31) | a >> (-b & 31);
	case VGT_VECTOR_ADD_F:
		return AS_U(AS_F(a) + AS_F(b));
	case VGT_VECTOR_MUL_F:
		return AS_U(AS_F(a) * AS_F(b));
	case VGT_VECTOR_MAD_F:
		return N(fma)(a, b, c);
	default:
		return op_compare(op) ? N(compare_)(op, a, b) :
		       N(minmax_)(op, a, b);
	}
}

INLINE U N(saturate_)(U value)
{
	F v = AS_F(value);
	U positive = MASK(v > 0.0f);

	return N(choose_)(MASK(v < 1.0f) | ~positive, value & positive,
			  N(splat)(0x3f800000));
}

/* The 64-bit product of @a and @b, each signed or not. */
INLINE void N(product_)(U a, U b, bool sign_a, bool sign_b, U *low, U *high)
{
	U top = N(high)(a, b);

	if (sign_a)
		top -= b & AS_U(AS_D(a) >> 31);
	if (sign_b)
		top -= a & AS_U(AS_D(b) >> 31);
	*low = a * b;
	*high = top;
}

/* mach: the accumulator plus @a times the upper half of @b, in its place. */
INLINE void N(sum_)(U a, U b, bool sign_a, bool sign_b, U acc, U acc_high,
		    U *low, U *high)
{
	b = sign_b ? AS_U(AS_D(b) >> 16) : b >> 16;
	N(product_)(a, b, sign_a, sign_b, low, high);
	*high = *high << 16 | *low >> 16;
	*low = (*low << 16) + acc;
	*high += acc_high + (MASK(*low < acc) & 1);
}

#undef JOIN_
#undef JOIN
#undef N
#undef U
#undef D
#undef F
#undef MASK
#undef CONVERT
#undef AS_F
#undef AS_D
#undef AS_U
