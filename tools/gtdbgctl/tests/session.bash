# SPDX-License-Identifier: MIT
# For tests that run a session: runs the tool and looks at what it printed, in
# order. Ends the test as skipped where there is no module.

# shellcheck source=tools/gtdbgctl/tests/tap.bash
. "$(dirname "${BASH_SOURCE[0]}")/tap.bash"

tool=${GTDBGCTL:?path of the tool}
BUILD=${BUILD:-$(dirname "$tool")/..}
lines=()
at=0
status=0

[ -e /dev/gtdbg ] || skip "the module is not loaded"
# They end programs by name, and write into /etc.
[ -e /run/vm/settings ] || skip "not in a guest: selftests/vm/run"
# A sanitised kernel takes several times as long: one session of each kind.
is_slow=
[[ $(uname -r) != *san* ]] || is_slow=yes
# Beside the driver of the machine's GPU page faults are the driver's.
is_gpu=
[ "${VGT_DOOR-}" != gpu ] || is_gpu=yes
# Programs have no place at the socket (Documentation/open.rst).
# shellcheck disable=SC2034 # for those that include this
host_decides=
[ "${VGT_DOOR-}" != socket ] || host_decides=yes
echo "TAP version 13"

# session COMMAND ARGUMENT...: runs the tool, with an -ex for each of commands
session() {
	local words=() command

	for command in "${commands[@]}"; do
		words+=(-ex "$command")
	done
	mapfile -t lines < <(timeout "${SESSION_TIMEOUT:-900}" "$tool" "$1" "${words[@]}" "${@:2}" \
		</dev/null 2>&1; echo "status $?")
	status=${lines[-1]#status }
	unset 'lines[-1]'
	at=0
}

# sees NAME TEXT: a line with that text comes, behind the one seen last
sees() {
	local i

	for ((i = at; i < ${#lines[@]}; i++)); do
		if [[ ${lines[i]} == *"$2"* ]]; then
			at=$((i + 1))
			result ok "$1"
			return
		fi
	done
	printf '# no "%s" from here on:\n' "$2"
	printf '# %s\n' "${lines[@]:at}"
	result "not ok" "$1"
}

# answers NAME COMMAND TEXT: the line right behind COMMAND has that text
answers() {
	local i

	for ((i = at; i < ${#lines[@]}; i++)); do
		if [ "${lines[i]}" = "(gtdbg) $2" ]; then
			at=$((i + 1))
			break
		fi
	done
	if [ $i -lt ${#lines[@]} ] && [[ ${lines[at]} == *"$3"* ]]; then
		result ok "$1"
		return
	fi
	printf '# after "%s", expected "%s":\n' "$2" "$3"
	printf '# %s\n' "${lines[@]:at}"
	result "not ok" "$1"
}

ends_with() {
	if [ "$status" -eq "$2" ]; then
		result ok "$1"
	else
		echo "# status $status"
		printf '# %s\n' "${lines[@]}"
		result "not ok" "$1"
	fi
}

# printed NAME WANTED [WORD]: the lines that begin with it, in whatever order
printed() {
	local got

	got=$(printf '%s\n' "${lines[@]}" | grep -oE "^(${3-item}) .*" | sort)
	if [ "$got" = "$(sort <<<"$2")" ]; then
		result ok "$1"
	else
		printf '# %s\n' "${lines[@]}"
		result "not ok" "$1"
	fi
}

# grows FILE TEXT: until it is there, as long as there is a job that runs; its number says
# nothing, as it goes on counting where others have ended
grows() {
	until grep -q -- "$2" "$1"; do
		[ -n "$(jobs -r)" ] || return 1
		sleep 0.1
	done
}

# What compute prints, with an item's own value put in: "2=7".
results() {
	local i change=${1-}

	for ((i = 0; i < 64; i++)); do
		if [ "${change%%=*}" = "$i" ]; then
			printf '%d ' "${change#*=}"
		elif ((i % 2)); then
			printf -- '-1 '
		else
			printf '%d ' $((i + 1100))
		fi
	done | sed 's/ $//'
}

