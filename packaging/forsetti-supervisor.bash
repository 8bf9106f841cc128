# Completion for bash: commands, options and their values, as the program itself tells them.
_forsetti_supervisor() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "$(_forsetti_commands "$program")" -- "$word"))
    return
  fi
  local previous=${COMP_WORDS[COMP_CWORD - 1]} value= index
  # Whose modules are meant, where the line says so already.
  local -a modules=("$program" modules)
  for ((index = 2; index < COMP_CWORD - 1; index++)); do
    case ${COMP_WORDS[index]} in
      --state | --runtime-dir) modules+=("${COMP_WORDS[index]}" "${COMP_WORDS[index + 1]}") ;;
    esac
  done
  case $previous in
    --*) value=$("$program" "$command" --help 2>/dev/null | sed -n "s/^  $previous \([^ ]*\)  .*/\1/p") ;;
  esac
  case $value in
    *"|"*) COMPREPLY=($(compgen -W "${value//|/ }" -- "$word")); return ;;
    MODULE) COMPREPLY=($(compgen -W "$(_forsetti_modules "${modules[@]}")" -- "$word")); return ;;
    ?*) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case $word in
    -*)
      COMPREPLY=($(compgen -W "$("$program" "$command" --help 2>/dev/null | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p')" \
        -- "$word"))
      return
      ;;
  esac
  case $command in
    packages) COMPREPLY=($(compgen -W "install list remove statement" -- "$word") $(compgen -f -- "$word")) ;;
    oci) COMPREPLY=($(compgen -W "import" -- "$word") $(compgen -f -- "$word")) ;;
    crashes) COMPREPLY=($(compgen -W "list show" -- "$word")) ;;
    secret) COMPREPLY=($(compgen -W "list set" -- "$word")) ;;
    audit) COMPREPLY=($(compgen -W "verify" -- "$word")) ;;
    help) COMPREPLY=($(compgen -W "$(_forsetti_commands "$program")" -- "$word")) ;;
    accept | explain | modules | activate | deactivate | restart | reset | select-ui | publish | logs)
      COMPREPLY=($(compgen -W "$(_forsetti_modules "${modules[@]}")" -- "$word"))
      ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
_forsetti_commands() {
  "$1" help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'
}
_forsetti_modules() {
  "$@" 2>/dev/null | grep -o '[a-z0-9]*\(\.[a-z0-9-]*\)\{2,\}'
}
complete -F _forsetti_supervisor forsetti-supervisor
