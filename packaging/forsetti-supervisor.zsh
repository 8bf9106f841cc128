#compdef forsetti-supervisor
# Completion for zsh: commands, options and their values, as the program itself tells them.

# Name and summary of each line of help that begins with such a name, as _describe takes them.
_forsetti_rows() {
  sed -n "s/^  \\($1\\)\\( .*\\)\\{0,1\\}  \\(.*\\)\$/\\1:\\3/p"
}
_forsetti_commands() {
  local -a rows=(${(f)"$($1 help 2>/dev/null | _forsetti_rows '[a-z][a-z-]*')"})
  _describe command rows
}
_forsetti_modules() {
  local -a rows=(${(f)"$($@ 2>/dev/null | grep -o '[a-z0-9]*\(\.[a-z0-9-]*\)\{2,\}')"})
  _describe module rows
}
_forsetti_supervisor() {
  local program=$words[1] command=$words[2] previous=$words[CURRENT-1] value=
  local -a rows modules=($program modules)
  local index
  # Whose modules are meant, where the line says so already.
  for (( index = 3; index < CURRENT - 1; index++ )); do
    [[ $words[index] == (--state|--runtime-dir) ]] && modules+=($words[index] $words[index+1])
  done
  if (( CURRENT == 2 )); then
    _forsetti_commands $program
    return
  fi
  if [[ $previous == --* ]]; then
    value=$($program $command --help 2>/dev/null | sed -n "s/^  $previous \\([^ ]*\\)  .*/\\1/p")
  fi
  case $value in
    *"|"*) rows=(${(s:|:)value}); _describe value rows; return ;;
    MODULE) _forsetti_modules $modules; return ;;
    ?*) _files; return ;;
  esac
  if [[ $words[CURRENT] == -* ]]; then
    rows=(${(f)"$($program $command --help 2>/dev/null | _forsetti_rows '--[a-z0-9-]*')"})
    _describe option rows
    return
  fi
  case $command in
    packages) rows=(install list remove statement); _describe action rows; _files ;;
    oci) rows=(import); _describe action rows; _files ;;
    crashes) rows=(list show); _describe action rows ;;
    secret) rows=(list set); _describe action rows ;;
    audit) rows=(verify); _describe action rows ;;
    help) _forsetti_commands $program ;;
    accept|explain|modules|activate|deactivate|restart|reset|select-ui|publish|logs) _forsetti_modules $modules ;;
    *) _files ;;
  esac
}
_forsetti_supervisor "$@"
