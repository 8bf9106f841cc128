# Completion for bash: commands and options as the program itself tells them.
_forsetti_supervisor() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-}
  local commands options
  commands=$("$program" help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "$commands" -- "$word"))
    return
  fi
  case $word in
    -*)
      options=$("$program" "$command" --help 2>/dev/null | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p')
      COMPREPLY=($(compgen -W "$options" -- "$word"))
      return
      ;;
  esac
  case $command in
    packages) COMPREPLY=($(compgen -W "install list remove statement" -- "$word") $(compgen -f -- "$word")) ;;
    crashes) COMPREPLY=($(compgen -W "list show" -- "$word")) ;;
    audit) COMPREPLY=($(compgen -W "verify" -- "$word")) ;;
    help) COMPREPLY=($(compgen -W "$commands" -- "$word")) ;;
    explain | modules | activate | deactivate | restart | reset | select-ui | logs)
      COMPREPLY=($(compgen -W "$("$program" modules 2>/dev/null | grep -o '[a-z0-9]*\(\.[a-z0-9-]*\)\{2,\}')" -- "$word"))
      ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -F _forsetti_supervisor forsetti-supervisor
