# Completion for fish: commands, options and their values, as the program itself tells them.

# Name and summary of each line of help, which follow the pattern of the names.
function __forsetti_rows
    string replace --regex --filter "^  ($argv[1])(?: .*)?  (.*)\$" '$1'\t'$2' -- $argv[2..]
end
function __forsetti_modules
    $argv 2>/dev/null | string match --regex --all '[a-z0-9]+(?:\.[a-z0-9-]+){2,}'
end
function __forsetti_supervisor
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l word (commandline --current-token --cut-at-cursor)
    set -l program $words[1]
    if test (count $words) -eq 1
        __forsetti_rows '[a-z][a-z-]*' ($program help 2>/dev/null)
        return
    end
    # Whose modules are meant, where the line says so already.
    set -l modules $program modules
    for index in (seq 3 (math (count $words) - 1))
        if contains -- $words[$index] --state --runtime-dir
            set --append modules $words[$index] $words[(math $index + 1)]
        end
    end
    set -l help ($program $words[2] --help 2>/dev/null)
    set -l value
    if string match --quiet -- '--*' $words[-1]
        set value (string replace --regex --filter "^  $words[-1] ([^ ]+)  .*" '$1' -- $help)
    end
    switch "$value"
        case '*|*'
            string split '|' $value
            return
        case MODULE
            __forsetti_modules $modules
            return
        case '?*'
            __fish_complete_path $word
            return
    end
    if string match --quiet -- '-*' $word
        __forsetti_rows '--[a-z0-9-]*' $help
        return
    end
    switch $words[2]
        case packages
            printf '%s\n' install list remove statement
            __fish_complete_path $word
        case oci
            printf '%s\n' import
            __fish_complete_path $word
        case crashes
            printf '%s\n' list show
        case secret
            printf '%s\n' list set
        case audit
            printf '%s\n' verify
        case help
            __forsetti_rows '[a-z][a-z-]*' ($program help 2>/dev/null)
        case accept explain modules activate deactivate restart reset select-ui publish logs
            __forsetti_modules $modules
        case '*'
            __fish_complete_path $word
    end
end
complete --command forsetti-supervisor --no-files --arguments '(__forsetti_supervisor)'
