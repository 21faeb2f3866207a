/** `tiphys node set`: sets the outputs, phase or message of suspended nodes. */
import { Command, Option } from "commander";
import { type NodePhase, NodePhase as NodePhases } from "@tiphys/model/api";
import { resolveName } from "@tiphys/service";
import { badInput } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { collectValue, parameterFlags } from "../flags/submit_flags.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly nodeFieldSelector?: string;
  readonly outputParameter?: readonly string[];
  readonly phase?: NodePhase;
  readonly message?: string;
}

/** Creates the command `node`. */
export function nodeCommand(world: World): Command {
  const set = new Command("set")
    .argument("<workflow>", "name; @latest is the newest")
    .option("--node-field-selector <fields>", "nodes with these fields, such as `displayName=approve`")
    .option("-p, --output-parameter <name=value>", "value of an output parameter; may be repeated", collectValue)
    .addOption(new Option("--phase <phase>", "phase of the nodes").choices(NodePhases.options))
    .option("-m, --message <text>", "message of the nodes")
    .action((requestedName: string, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const { nodeFieldSelector: nodes, phase, message } = flags;
      if (!nodes) {
        throw badInput("'set' currently only targets suspend nodes, use a node field selector to target them");
      }
      const outputs = parameterFlags(flags.outputParameter);
      if (!phase && !message && outputs.size === 0) {
        throw badInput("Expected a value to set: --phase, --message or --output-parameter");
      }
      return withCluster(world, flags, async ({ service, namespace }) => {
        const name = await resolveName(service, namespace, requestedName);
        await service.set(namespace, name, { nodeFieldSelector: nodes, phase, message, outputs });
        world.out("workflow values set\n");
      });
    });
  return new Command("node").addCommand(set);
}
