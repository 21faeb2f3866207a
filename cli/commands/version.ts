/** `tiphys version`: the release of this program, and of the server where one is meant. */
import { Command } from "commander";
import { VERSION } from "@tiphys/base/version";
import type { ServerVersion } from "@tiphys/service";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { serverOf } from "../flags/server_flags.ts";
import { plain } from "../view/plain.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly short?: boolean;
}

/** Makes the command. */
export function versionCommand(world: World): Command {
  return new Command("version").option("--short", "the version alone")
    .action(async (_flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const more = [["Deno", Deno.version.deno], ["Platform", `${Deno.build.os}/${Deno.build.arch}`]] as const;
      world.out(block("tiphys", `v${VERSION}`, flags.short ? [] : more));
      if (flags.local || flags.data !== undefined || !await serverOf(flags, world)) return;
      await withCluster(world, flags, async (connection) => {
        const told = await connection.serverVersion?.() ?? {};
        world.out(block("argo-server", told.version ?? "", flags.short ? [] : factsOf(told)));
      });
    });
}

function factsOf(told: ServerVersion): readonly (readonly [string, string])[] {
  return [
    ["BuildDate", told.buildDate ?? ""],
    ["GitCommit", told.gitCommit ?? ""],
    ["GitTreeState", told.gitTreeState ?? ""],
    ...(told.gitTag ? [["GitTag", told.gitTag] as const] : []),
    ["GoVersion", told.goVersion ?? ""],
    ["Compiler", told.compiler ?? ""],
    ["Platform", told.platform ?? ""],
  ];
}

function block(name: string, version: string, facts: readonly (readonly [string, string])[]): string {
  const lines = [`${name}: ${version}`, ...facts.map(([title, value]) => `  ${title}: ${value}`)];
  return lines.map((line) => `${plain(line)}\n`).join("");
}
