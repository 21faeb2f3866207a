/** `tiphys completion`: prints a completion script for a shell. The script calls `tiphys __complete` for the words. */
import { Argument, Command } from "commander";
import type { World } from "../world.ts";

const SHELLS: Readonly<Record<string, string>> = {
  // Bash splits words at `=`, `:` and `@`, and replaces only the part after the last of these characters.
  bash: `_tiphys() {
  local line=\${COMP_LINE:0:COMP_POINT} current=\${COMP_WORDS[COMP_CWORD]} how=":none" word words
  IFS=$' \\t' read -r -a words <<< "$line"
  case $line in *[[:space:]]) words+=("") ;; esac
  word=\${words[\${#words[@]} - 1]}
  case $current in "=" | ":" | "@") current="" ;; esac
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) how=$line ;;
      *)
        line=\${line%%$'\\t'*}
        COMPREPLY+=("\${line#"\${word%"$current"}"}")
        ;;
    esac
  done < <(tiphys __complete "\${words[@]:1}" 2>/dev/null </dev/null)
  if [ "$how" = ":files" ]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
  fi
}
complete -F _tiphys tiphys
`,
  zsh: `#compdef tiphys
_tiphys() {
  local line how=":none"
  local -a found
  while IFS= read -r line; do
    case $line in
      :*) how=$line ;;
      *$'\\t'*) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      *) found+=("\${line//:/\\\\:}") ;;
    esac
  done < <(tiphys __complete "\${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)
  (( \${#found} )) && _describe tiphys found
  [[ $how == ":files" ]] && _files
}
if [[ "\${funcstack[1]}" == "_tiphys" ]]; then _tiphys; else compdef _tiphys tiphys; fi
`,
  fish: `function __tiphys_complete
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  test -n "$last"; or set last ""
  for line in (tiphys __complete $words[2..-1] $last 2>/dev/null </dev/null)
    switch $line
      case ':files'
        __fish_complete_path $last
      case ':*'
      case '*'
        printf '%s\\n' $line
    end
  end
end
complete -c tiphys -f -a '(__tiphys_complete)'
`,
};

/** Creates the command `completion`. */
export function completionCommand(world: World): Command {
  const shell = new Argument("<shell>", "shell to complete commands in").choices(Object.keys(SHELLS));
  return new Command("completion").addArgument(shell).action((name: string) => world.out(SHELLS[name]!));
}
