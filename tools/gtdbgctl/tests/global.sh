#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Conditions on what pointers to global memory lead to are decided on the EU, once a launch
# has shown where they look. No launch looks into buffers of another one.
set -u
# shellcheck source=tools/gtdbgctl/tests/session.bash
. "$(dirname "$0")/session.bash"

events=/sys/kernel/tracing/events/gtdbg
trace=/sys/kernel/tracing/trace
launch=$BUILD/gtdbgctl/tests/launch
kernels=$(mktemp --suffix=.cl)
trap 'rm -f "$kernels"; echo 0 >$events/enable' EXIT
eu="on the EU"
[ -z "$host_decides" ] || eu="on the host"

# stops_are NAME LEAST MOST: at breakpoints, whether anybody hears of them or not
stops_are() {
	local got

	got=$(grep -c 'gtdbg_thread_stop: .* reasons=0x2 ' $trace)
	echo "# $got stops"
	if [ -n "$host_decides" ] || { [ "$got" -ge "$2" ] && [ "$got" -le "$3" ]; }; then
		result ok "$1"
	else
		result "not ok" "$1"
	fi
}

begin() {
	echo >$trace
	echo 1 >$events/gtdbg_thread_stop/enable
}

# 8 items are a thread, which comes by 16 times in each of three launches.
walk() {
	cat >"$kernels" <<-'END'
		__kernel void walk(__global const int *in, __global int *out) {
		  int sum = 0;
		  for (int i = 0; i < 16; i++) {
		    sum += in[i];
		    sum ^= i;
		  }
		  out[get_global_id(0)] = sum;
		}
	END
	commands=('break 5 if in[i] == 110' run 'print i' 'info breakpoints'
		continue 'print i' continue 'print i' continue)
	begin
	session run --batch -- "$launch" --loop 3 "$kernels" walk 8
	answers "an element has the value" 'print i' '= 10'
	sees "it is decided" "only if in[i] == 110 ($eu"
	answers "in new buffers as well" 'print i' '= 10'
	answers "each time" 'print i' '= 10'
	ends_with "status" 0
	stops_are "the host was asked once for each launch at most" 4 6
}

# Whoever looks where no window is stops before it has printed anything.
prints() {
	local wanted i

	commands=('dprintf 5,"seen %d %d %d %d\n",i,i * 2,i * 3,in[i]'
		'dprintf 4,"other %d %d\n",i,in[i]' 'condition 1 i != 3'
		'condition 2 in[i] == 103' run 'info breakpoints')
	begin
	session run --batch -- "$launch" --loop 3 "$kernels" walk 8
	sees "an element is printed" "i * 3,in[i] only if i != 3 ($eu"
	sees "and found" "in[i] only if in[i] == 103 ($eu"
	wanted=$(for ((i = 0; i < 16; i++)); do
		[ $i -eq 3 ] && yes "other 3 103" | head -n 24 ||
			yes "seen $i $((i * 2)) $((i * 3)) $((i + 100))" |
			head -n 24
	done)
	printed "once for each lane and turn" "$wanted" 'seen|other'
	stops_are "the host printed once for each launch at most" 1 6
}

# Of sixteen lanes none has printed when others look where no window is.
wide() {
	local wanted i

	# The kernel of walk.
	sed -i '1i __attribute__((intel_reqd_sub_group_size(16)))' "$kernels"
	commands=('dprintf 6,"seen %d %d\n",i,in[i]' 'condition 1 in[i] != 103' run
		'info breakpoints')
	begin
	session run --batch -- "$launch" --loop 3 "$kernels" walk 16
	sees "sixteen lanes are decided" "in[i] only if in[i] != 103 ($eu"
	wanted=$(for ((i = 0; i < 16; i++)); do
		[ $i -eq 3 ] || yes "seen $i $((i + 100))" | head -n 48
	done)
	printed "once for each of sixteen lanes" "$wanted" seen
	stops_are "the host printed for them once for each launch at most" 1 3
}

# What else pointers lead to: numbers of other sizes, members, floats.
kinds() {
	cat >"$kernels" <<-'END'
		struct pair { short low; uchar high; float ratio; };
		__kernel void kinds(__global const int *in, __global int *out) {
		  uint item = get_global_id(0);
		  __global struct pair *pair = (__global struct pair *)out;
		  __global const uchar *byte = (__global const uchar *)in;
		  __global const ulong *wide = (__global const ulong *)in;
		  pair[item].low = -100 - (int)item;
		  pair[item].high = 200 + item;
		  pair[item].ratio = item * 0.1f;
		  barrier(CLK_GLOBAL_MEM_FENCE);
		  int done = in[item];
		  float limit = item == 7 ? 0.65f : 5;
		  out[0] = done + byte[4] + (int)wide[1] + (limit > 9);
		  out[8] = done;
		}
	END
	commands=('break 13 if pair[item].low == -105 && byte[4] == 101 && pair->low < 0'
		run 'print item'
		'tbreak 14 if pair[item].ratio > limit && pair[1].high > 200 && *in == 100'
		'tbreak 15 if wide[1] == 442381631590 && item == 3'
		'info breakpoints' continue 'print item' continue 'print item' continue)
	session run --batch -- "$launch" "$kernels" kinds 8
	answers "numbers of 8 and 16 bits" 'print item' '= 5'
	sees "they are decided" "pair->low < 0 ($eu"
	sees "so are floats" "*in == 100 ($eu"
	sees "and numbers of 64 bits" "item == 3 ($eu"
	answers "that is right" 'print item' '= 7'
	answers "for both" 'print item' '= 3'
	sees "the program goes on" 'exited normally'
}

# Pointers that lie where others lead, or that an index chooses: a window for each.
chain() {
	cat >"$kernels" <<-'END'
		struct node { int value; ulong id; __global struct node *next; };
		__kernel void chain(__global const int *in, __global int *out) {
		  uint item = get_global_id(0), turn = item & 1;
		  __global struct node *all = (__global struct node *)out, *node = all + item;
		  __global struct node *ends[2] = { 0 };
		  int sum = 0;
		  node->value = in[item];
		  node->id = item + 40;
		  node->next = all + (item + 1) % 8;
		  ends[turn] = node;
		  ends[!turn] = node->next;
		  barrier(CLK_GLOBAL_MEM_FENCE);
		  for (int i = 0; i < 16; i++) {
		    sum += node->next->value;
		    node = node->next;
		  }
		  sum += ends[turn]->value;
		  out[item * 6 + 1] = sum;
		}
	END
	commands=('break 14 if node->next->value == 104 && i == 9'
		'break 17 if ends[turn]->id + 1 == 47' run 'print item'
		'info breakpoints' continue 'print item' continue 'print item'
		continue 'print item' continue)
	begin
	session run --batch -- "$launch" --loop 2 "$kernels" chain 8
	answers "the lane that has it is found" 'print item' '= 2'
	sees "what a pointer behind another one leads to is decided" "value == 104 && i == 9 ($eu"
	sees "and one that an index has chosen" "ends[turn]->id + 1 == 47 ($eu"
	answers "the other way as well" 'print item' '= 6'
	answers "in the next launch, too" 'print item' '= 2'
	answers "both ways" 'print item' '= 6'
	ends_with "status" 0
	stops_are "and hardly ever by the host" 4 9
}

# A pointer that still leads to a buffer of the launch before: the host is asked each time.
# i915 has zeros where nothing is, and at the socket memory stays; else it says that.
freed() {
	local reads=$is_gpu$host_decides

	cat >"$kernels" <<-'END'
		__kernel void look(__global const int *in, __global ulong *out,
		                   ulong from) {
		  __global const int *p = from ? (__global const int *)from : in;
		  int sum = 0;
		  for (int i = 0; i < 4; i++)
		    sum += i;
		  out[0] = (ulong)in + (ulong)(p == in ? sum - 6 : 0);
		}
	END
	commands=('break 6 if *p == 7' run)
	[ -n "$reads" ] ||
		commands+=('info breakpoints' continue continue continue continue)
	begin
	session run --batch -- "$BUILD/gtdbgctl/tests/freed" "$kernels"
	[ -n "$reads" ] ||
		sees "the host cannot look there" "Cannot access memory at address"
	[ -n "$reads" ] ||
		sees "what is there is decided" "only if *p == 7 ($eu"
	sees "the program goes on" "both are through"
	sees "to its end" "exited normally"
	stops_are "the host was asked each time" 5 5
}

walk
prints
wide
kinds
chain
freed
finish
