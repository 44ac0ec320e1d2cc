// SPDX-License-Identifier: MIT
/*
 * What is put into a turn of division_quotient16, where its channels have met. R is r21 and r23
 * there, N r11 and r13, D r15 and r17, Q r25 and r27; f0.1 says whose R is below D.
 */
#include "division_near.h"

const struct division_near division_near[] = {
	{ "counts where R is another number", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r21.0<8;8,1>:d r70.0<8;8,1>:d",
		"(f1.1) cmp (16|M0) (eq)f1.1 null<1>:d r23.0<8;8,1>:d r72.0<8;8,1>:d",
		"(f1.1) add (16|M0) r74.0<1>:d r74.0<8;8,1>:d 1:w",
	} },
	{ "turns a bit of Q where R is another number", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r21.0<8;8,1>:d r70.0<8;8,1>:d",
		"(f1.1) cmp (16|M0) (eq)f1.1 null<1>:d r23.0<8;8,1>:d r72.0<8;8,1>:d",
		"(f1.1) xor (16|M0) r27.0<1>:d r27.0<8;8,1>:d 0x80000000:d",
	} },
	{ "turns a bit of R where R is another number", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r21.0<8;8,1>:d r70.0<8;8,1>:d",
		"(f1.1) cmp (16|M0) (eq)f1.1 null<1>:d r23.0<8;8,1>:d r72.0<8;8,1>:d",
		"(f1.1) xor (16|M0) r23.0<1>:d r23.0<8;8,1>:d 0x8:d",
	} },
	{ "selects where R is another number", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r21.0<8;8,1>:d r70.0<8;8,1>:d",
		"(f1.1) cmp (16|M0) (eq)f1.1 null<1>:d r23.0<8;8,1>:d r72.0<8;8,1>:d",
		"(f1.1) sel (16|M0) r74.0<1>:d r76.0<8;8,1>:d r74.0<8;8,1>:d",
	} },
	{ "branches where R is another number", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r21.0<8;8,1>:d r70.0<8;8,1>:d",
		"(f1.1) cmp (16|M0) (eq)f1.1 null<1>:d r23.0<8;8,1>:d r72.0<8;8,1>:d",
		"(f1.1) if (16|M0) NEAR NEAR",
		"mov (16|M0) r74.0<1>:d r21.0<8;8,1>:d",
		"NEAR:",
		"endif (16|M0) NEXT",
		"NEXT:",
	} },
	{ "ends where R is another number", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r21.0<8;8,1>:d r70.0<8;8,1>:d",
		"(f1.1) cmp (16|M0) (eq)f1.1 null<1>:d r23.0<8;8,1>:d r72.0<8;8,1>:d",
		"(f1.1) break (16|M0) L1880 L1880",
	} },
	{ "notes whether R's half is a constant", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r21.0<8;8,1>:d 0x12345:d",
		"(f1.1) mov (16|M0) r74.0<1>:d 1:w",
	} },
	{ "counts where R's half is D's", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r21.0<8;8,1>:d r15.0<8;8,1>:d",
		"(f1.1) add (16|M0) r74.0<1>:d r74.0<8;8,1>:d 1:w",
	} },
	{ "counts where R's half is D's other half", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r21.0<8;8,1>:d r17.0<8;8,1>:d",
		"(f1.1) add (16|M0) r74.0<1>:d r74.0<8;8,1>:d 1:w",
	} },
	{ "counts where R's half is N's", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r21.0<8;8,1>:d r11.0<8;8,1>:d",
		"(f1.1) add (16|M0) r74.0<1>:d r74.0<8;8,1>:d 1:w",
	} },
	{ "counts where Q's half is another number", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r25.0<8;8,1>:d r70.0<8;8,1>:d",
		"(f1.1) add (16|M0) r74.0<1>:d r74.0<8;8,1>:d 1:w",
	} },
	{ "counts where D's half is a constant", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r15.0<8;8,1>:d 0x12345:d",
		"(f1.1) add (16|M0) r74.0<1>:d r74.0<8;8,1>:d 1:w",
	} },
	{ "goes back into itself where D's half is a constant", {
		"cmp (16|M0) (ne)f1.1 null<1>:d r15.0<8;8,1>:d 0x12345:d",
		"(f1.1) if (16|M0) L400 L400",
		"endif (16|M0) NEXT",
		"NEXT:",
	} },
	{ "counts where D's half is another number", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r15.0<8;8,1>:d r70.0<8;8,1>:d",
		"(f1.1) add (16|M0) r74.0<1>:d r74.0<8;8,1>:d 1:w",
	} },
	{ "counts where two other numbers are equal", {
		"cmp (16|M0) (eq)f1.1 null<1>:d r76.0<8;8,1>:d r70.0<8;8,1>:d",
		"(f1.1) add (16|M0) r74.0<1>:d r74.0<8;8,1>:d 1:w",
	} },
	{ "counts, by a borrow, where R is another number", {
		"xor (16|M0) r76.0<1>:d r21.0<8;8,1>:d r70.0<8;8,1>:d",
		"xor (16|M0) r78.0<1>:d r23.0<8;8,1>:d r72.0<8;8,1>:d",
		"or (16|M0) r76.0<1>:d r76.0<8;8,1>:d r78.0<8;8,1>:d",
		"subb (8|M0) r78.0<1>:ud r76.0<8;8,1>:ud 0x1:ud {AccWrEn}",
		"add (8|M0) r74.0<1>:d r74.0<8;8,1>:d acc0.0<8;8,1>:d",
	} },
	{ "keeps, by a minimum, the least R", {
		"sel (16|M0) (lt)f1.1 r74.0<1>:ud r74.0<8;8,1>:ud r21.0<8;8,1>:ud",
	} },
	{ "writes where two channels reach D", {
		"(~f0.1.any2h) mov (16|M0) r74.0<1>:d r21.0<8;8,1>:d",
	} },
	{ "writes where two channels do not reach D", {
		"(f0.1.all2h) mov (16|M0) r74.0<1>:d r21.0<8;8,1>:d",
	} },
	{ "reads what is behind the flags", {
		"mov (16|M0) r74.0<1>:uw f0.0<1;1,0>:uw",
	} },
	{ "writes where all channels do not reach D", {
		"(f0.1.all16h) mov (16|M0) r74.0<1>:d r21.0<8;8,1>:d",
	} },
};

const size_t division_near_count =
	sizeof(division_near) / sizeof(division_near[0]);
