/** `tiphys completion`: a script that a shell reads to complete the names of commands, workflows and files. */
import { Argument, Command } from "commander";
import type { World } from "../world.ts";

/** The commands whose arguments are workflows. */
const OF_WORKFLOWS = "cp delete get logs resubmit resume retry stop suspend terminate wait watch why";
/** The command that asks for the names of workflows; silent, as a person is typing. */
const NAMES = "tiphys list -o name 2>/dev/null";

const SHELLS: Readonly<Record<string, (words: string) => string>> = { bash, zsh, fish };

/** Makes the command. */
export function completionCommand(world: World): Command {
  const shell = new Argument("<shell>").choices(Object.keys(SHELLS));
  return new Command("completion").addArgument(shell).action((name: string, _flags: unknown, self: Command) => {
    const words = (self.parent?.commands ?? []).map((command) => command.name()).join(" ");
    world.out(SHELLS[name]!(words));
  });
}

function bash(words: string): string {
  return `_tiphys() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${words}" -- "$word")); return; fi
  case " ${OF_WORKFLOWS} " in
    *" \${COMP_WORDS[1]} "*) COMPREPLY=($(compgen -W "@latest $(${NAMES})" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _tiphys tiphys
`;
}

function zsh(words: string): string {
  return `#compdef tiphys
_tiphys() {
  if (( CURRENT == 2 )); then compadd ${words}; return; fi
  case " ${OF_WORKFLOWS} " in
    *" \${words[2]} "*) compadd @latest $(${NAMES}) ;;
    *) _files ;;
  esac
}
compdef _tiphys tiphys
`;
}

function fish(words: string): string {
  return `complete -c tiphys -n __fish_use_subcommand -f -a "${words}"
complete -c tiphys -n "__fish_seen_subcommand_from ${OF_WORKFLOWS}" -f -a "@latest (${NAMES})"
`;
}
