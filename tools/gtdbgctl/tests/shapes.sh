#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Values of all shapes, and 32 lanes of unoptimised code; see shapes.cl. in[i]
# is i + 100.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

launch=$BUILD/gtdbgctl/tests/launch
kernels=$(dirname "$0")/shapes.cl

# One thread of eight lanes.
values() {
	commands=('break 39' run 'print *first' 'print **where'
		'print (*where)[2]' 'ptype o.number' 'print sizeof(o)'
		'print c' 'print h' 'print h3' 'print h3.z' 'print wide'
		'print/x wide' 'print all' 'print odd' 'thread :1' 'print odd'
		'print letters.sf' 'print (short)wide' 'print c == BLUE' 'print BLUE'
		'print RED + 1' 'ptype c' 'ptype &o'
		'print -2 >> sizeof(char)' 'print 1 << sizeof(o) - 9' 'print wide >> 39' delete continue)
	session run --batch -- "$launch" "$kernels" shapes 8
	pointers
	numbers
	ends_with "status" 0
}

pointers() {
	answers "what a pointer points to" 'print *first' '= 101'
	answers "through a pointer to a pointer" 'print **where' '= 101'
	answers "with an index" 'print (*where)[2]' '= 103'
	sees "a union's type has its members" "    uint bits;"
	answers "a struct has its size" 'print sizeof(o)' '= 40'
}

numbers() {
	answers "an enum" 'print c' '= BLUE'
	answers "a half" 'print h' '= 1.5'
	answers "a vector of halves" 'print h3' '{0.5, -1, 65504}'
	answers "a component of it" 'print h3.z' '= 65504'
	answers "a long" 'print wide' '= 1099511627776'
	answers "in hexadecimal" 'print/x wide' '= 0x10000000000'
	answers "an unsigned long" 'print all' '= 18446744073709551615'
	answers "a truth value" 'print odd' '= false'
	answers "in the next lane" 'print odd' '= true'
	answers "the last of 16 characters" 'print letters.sf' "= 97 'a'"
	answers "a cast cuts" 'print (short)wide' '= 0'
	answers "a name of an enum" 'print c == BLUE' '= 1'
	answers "alone" 'print BLUE' '= BLUE'
	answers "as a number" 'print RED + 1' '= 0'
	answers "all of its names" 'ptype c' 'type = enum colour {RED = -1, GREEN, BLUE = 7}'
	sees "an array in a struct" "    node nodes[2];"
	sees "what has no name" "    struct {"
	sees "has members" "        char letter;"
	sees "and is one" "    } mark;"
	sees "of what is pointed to" "} *"
	answers "a shift has its left operand's sign" 'print -2 >> sizeof(char)' '= -1'
	answers "and width" 'print 1 << sizeof(o) - 9' '= -2147483648'
	answers "which is 64 bits here" 'print wide >> 39' '= 2'
}

# A name may be a variable's, and a type's or the beginning of an operator.
names() {
	commands=('break 64' run 'print sizeof(tag) + 100' 'print sizeof(struct tag)'
		'whatis tag' 'ptype struct tag' 'print sizeof_item + 1'
		'set var first = *(out + 1)@2' 'print first == out + 1'
		delete continue)
	session run --batch -- "$launch" "$kernels" names 8
	answers "a variable hides a tag" 'print sizeof(tag) + 100' '= 102'
	answers "which has a name besides" 'print sizeof(struct tag)' '= 20'
	answers "its type is its own" 'whatis tag' 'type = short'
	answers "the other one is there, too" 'ptype struct tag' 'type = struct tag {'
	answers "a name that begins as sizeof" 'print sizeof_item + 1' '= 10'
	answers "an array of a pointer's size is an address for it" \
		'print first == out + 1' '= 1'
	sees "the other lanes have theirs" " 15 15 17 17 19"
}

thirty_two_lanes() {
	commands=('break 49' run 'print item' 'print value' 'lanes value'
		'thread :31' 'print value' delete continue)
	session run --batch -- "$launch" "$kernels" thirtytwo 32
	sees "lanes 0 to 19 do not take this branch" \
		"Thread 2.1:20 hit Breakpoint 1"
	answers "the current lane's item" 'print item' '= 20'
	answers "and its value" 'print value' '= 240'
	sees "a lane of the first half" "2.1:0	200	(inactive)"
	sees "the last lane" "2.1:31	262"
	answers "which can be the current one" 'print value' '= 262'
	sees "results are right" "200 202 204 206"
}

# The runtime fills an image by a kernel of its own, in a queue that the program does not
# see: that has a save area of its own in the same address space. Pixel 1 has the floats
# 4 to 7 of what was given, which are 104 and so on.
images() {
	local image

	image=$(dirname "$0")/../../vgt/tests/kernels/image.cl
	commands=('tbreak 15' run 'print x' next 'print out[1]'
		'tbreak image_sample_float' continue delete continue)
	session run --batch -- "$launch" --options "-cl-std=CL3.0 -cl-kernel-arg-info" \
		--each "$image" image_read_float,image_sample_float
	sees "a kernel that reads an image stops" "hit Temporary breakpoint 1"
	answers "its item" 'print x' '= 0'
	answers "what it has read is what the image was made of" 'print out[1]' \
		'= {104, 105, 106, 107}'
	sees "so does another one, for which another image was made" \
		"hit Temporary breakpoint 2"
	sees "both end" "image_sample_float: 0"
	ends_with "status of a program with images" 0
}

[ -z "$is_slow" ] || skip "a sanitised kernel takes too long for it"
values
names
thirty_two_lanes
images
finish
