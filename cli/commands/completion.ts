/** `tiphys completion`: a script that a shell reads to complete the names of commands and files. */
import { Argument, Command } from "commander";
import type { World } from "../world.ts";

/** Makes the command. */
export function completionCommand(world: World): Command {
  const shell = new Argument("<shell>").choices(["bash", "zsh"]);
  return new Command("completion").addArgument(shell).action((name: string, _flags: unknown, self: Command) => {
    const words = (self.parent?.commands ?? []).map((command) => command.name()).join(" ");
    world.out(name === "bash" ? bash(words) : zsh(words));
  });
}

function bash(words: string): string {
  return `_tiphys() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${words}" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _tiphys tiphys
`;
}

function zsh(words: string): string {
  return `#compdef tiphys
_tiphys() {
  if (( CURRENT == 2 )); then compadd ${words}; else _files; fi
}
compdef _tiphys tiphys
`;
}
