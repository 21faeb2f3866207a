/** `tiphys version`: prints the version of this program, and of the server if one is set. */
import { Command } from "commander";
import { VERSION } from "@tiphys/base/version";
import type { ServerVersion } from "@tiphys/service/server";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { serverOf } from "../flags/server_flags.ts";
import { escapeControls } from "../view/plain.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly short?: boolean;
}

/** Creates the command `version`. */
export function versionCommand(world: World): Command {
  return new Command("version").option("--short", "the version alone")
    .action(async (_flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const more = [["Deno", Deno.version.deno], ["Platform", `${Deno.build.os}/${Deno.build.arch}`]] as const;
      world.out(block("tiphys", `v${VERSION}`, flags.short ? [] : more));
      if (flags.local || flags.data !== undefined || !await serverOf(flags, world)) return;
      await withCluster(world, flags, async (connection) => {
        const server = await connection.serverVersion?.() ?? {};
        world.out(block("argo-server", server.version ?? "", flags.short ? [] : factsOf(server)));
      });
    });
}

function factsOf(server: ServerVersion): readonly (readonly [string, string])[] {
  return [
    ["BuildDate", server.buildDate ?? ""],
    ["GitCommit", server.gitCommit ?? ""],
    ["GitTreeState", server.gitTreeState ?? ""],
    ...(server.gitTag ? [["GitTag", server.gitTag] as const] : []),
    ["GoVersion", server.goVersion ?? ""],
    ["Compiler", server.compiler ?? ""],
    ["Platform", server.platform ?? ""],
  ];
}

function block(name: string, version: string, facts: readonly (readonly [string, string])[]): string {
  const lines = [`${name}: ${version}`, ...facts.map(([title, value]) => `  ${title}: ${value}`)];
  return lines.map((line) => `${escapeControls(line)}\n`).join("");
}
