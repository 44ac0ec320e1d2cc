# SPDX-License-Identifier: MIT
# Completion for gtdbgctl in bash.

_gtdbgctl_clients()
{
	find /proc/[0-9]*/fd -lname /dev/gtdbg 2>/dev/null |
		cut -d / -f 3 | sort -un
}

_gtdbgctl()
{
	local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-}
	local words="" option=""

	COMPREPLY=()
	# "=" is a word of its own: what is behind it completes the option before.
	if [ "$word" = "=" ]; then
		option=${COMP_WORDS[COMP_CWORD-1]}= word=
	elif [ "${COMP_WORDS[COMP_CWORD-1]}" = "=" ]; then
		option=${COMP_WORDS[COMP_CWORD-2]}=
	fi
	if [ "$COMP_CWORD" -eq 1 ]; then
		words="attach core dap doctor events gcore gdb help list print-trace run top trace version"
	elif [[ $command = @(run|gdb|trace) && " ${COMP_WORDS[*]} " == *" -- "* ]]; then
		mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
		return
	elif [[ ${COMP_WORDS[COMP_CWORD-1]} = -[xo] ]]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
	elif [[ ${COMP_WORDS[COMP_CWORD-1]} = -p ]]; then
		words=$(_gtdbgctl_clients)
	elif [ "$command" = run ]; then
		words="--help -nx -x --sip=own --sip=stock --sip=stock-bindless --door=drm --door=socket --door=gpu --attachable --memcheck --memcheck=end --memcheck=aligned --memcheck=begin --check= --check=bounds,races,uninit --batch --core-on-fault= --core-on-assert= --assert=stop --assert=abort --assert=continue --assert=ignore --assert-lines= -ex --"
	elif [ "$command" = attach ]; then
		words="--help -nx -x --batch --core-on-fault= --core-on-assert= --assert=stop --assert=abort --assert=continue --assert=ignore --assert-lines= -ex $(_gtdbgctl_clients)"
	elif [ "$command" = core ]; then
		words="--help -nx -x --batch --limit= -ex"
		[ -z "$option" ] || return
		mapfile -t COMPREPLY < <(compgen -f -W "$words" -- "$word")
		return
	elif [ "$command" = dap ]; then
		words="--help --socket= --port="
	elif [ "$command" = gcore ]; then
		words="--help -o --memory=all --memory=writable --memory=none --limit= --compress=zstd --wait= $(_gtdbgctl_clients)"
	elif [ "$command" = gdb ]; then
		words="--help --sip=own --sip=stock --sip=stock-bindless --door=drm --door=socket -ex -p --"
	elif [ "$command" = print-trace ]; then
		words="--help -p"
	elif [ "$command" = list ]; then
		words="--help --json"
	elif [ "$command" = events ]; then
		words="--help --json --gpu-time $(_gtdbgctl_clients)"
	elif [ "$command" = top ]; then
		words="--help -d -n --batch --json"
	elif [ "$command" = trace ]; then
		words="--help -a -o --format=perfetto --format=ctf -p --sip=own --sip=stock --sip=stock-bindless --door=drm --door=socket --door=gpu --"
		if [ -z "$option" ]; then
			mapfile -t COMPREPLY < <(compgen -c -f -W "$words" -- "$word")
			return
		fi
	elif [ "$command" = help ]; then
		words="--help attach core dap doctor events gcore gdb help list print-trace run top trace version"
	elif [ "$command" = doctor ]; then
		words="--help --try --door=drm --door=socket --door=gpu"
	elif [ "$command" = version ]; then
		words="--help"
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$option$word")
	mapfile -t COMPREPLY < <(printf '%s\n' "${COMPREPLY[@]#"$option"}" | grep .)
}

complete -F _gtdbgctl gtdbgctl
