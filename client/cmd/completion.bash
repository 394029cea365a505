# bash completion for umpire(1); `umpire completion bash` prints it.
# shellcheck shell=bash
_umpire_games()
{
	local dir=${XDG_DATA_HOME:-$HOME/.local/share}/umpire
	cut -d' ' -f1 "$dir/${1:-${UMPIRE_PROFILE:-default}}/names" 2>/dev/null
}

_umpire()
{
	local cur=${COMP_WORDS[COMP_CWORD]}
	local prev=${COMP_WORDS[COMP_CWORD - 1]}
	local sub='' inner='' profile='' opts='' words='' n=0 i
	local globals="%globals%"

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--profile) profile=${COMP_WORDS[++i]} ;;
		-*) ;;
		*)
			if [ -z "$sub" ]; then
				sub=${COMP_WORDS[i]}
			else
				[ "$n" -ne 0 ] || inner=${COMP_WORDS[i]}
				n=$((n + 1))
			fi ;;
		esac
	done
	COMPREPLY=()
	case $prev in
	%files%)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return ;;
	esac
	case $sub in%cases%
	esac
	case $sub in%words%
	esac
	case $sub.$inner in%subcases%
	esac
	case $sub in%subs%
	esac
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$opts $globals" \
			-- "$cur")
		return
	fi
	case $sub in
	'' | help)
		mapfile -t COMPREPLY < <(compgen -W "help%names%" \
			-- "$cur") ;;
	%SUBCOMMAND%)
		[ "$n" -ne 0 ] ||
			mapfile -t COMPREPLY < <(compgen -W "$words" \
				-- "$cur") ;;
	%GAME%)
		[ "$n" -ne 0 ] ||
			mapfile -t COMPREPLY < <(compgen -W \
				"$words $(_umpire_games "$profile")" \
				-- "$cur") ;;
	esac
	case $sub in
	%FILE%)
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY \
			< <(compgen -f -- "$cur") ;;
	esac
}

complete -o filenames -F _umpire umpire
