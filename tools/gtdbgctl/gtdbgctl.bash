# SPDX-License-Identifier: MIT
# Completion for gtdbgctl in bash.

_gtdbgctl_clients()
{
	local folder

	for folder in /proc/[0-9]*; do
		if find "$folder/fd" -lname /dev/gtdbg 2>/dev/null |
			grep -q .; then
			echo "${folder#/proc/}"
		fi
	done
}

_gtdbgctl()
{
	local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-}
	local words=

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		words="attach doctor events help list run version"
	elif [ "$command" = run ] && [[ " ${COMP_WORDS[*]} " == *" -- "* ]]; then
		mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
		return
	elif [ "${COMP_WORDS[COMP_CWORD-1]}" = -x ]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
	elif [ "$command" = run ]; then
		words="--help -nx -x --sip=own --sip=stock --sip=stock-bindless --door=drm --door=socket --attachable --batch -ex --"
	elif [ "$command" = attach ]; then
		words="--help -nx -x --batch -ex $(_gtdbgctl_clients)"
	elif [ "$command" = list ]; then
		words="--help --json"
	elif [ "$command" = events ]; then
		words="--help --json $(_gtdbgctl_clients)"
	elif [ "$command" = help ]; then
		words="attach doctor events help list run version"
	elif [ "$command" = doctor ] || [ "$command" = version ]; then
		words="--help"
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _gtdbgctl gtdbgctl
