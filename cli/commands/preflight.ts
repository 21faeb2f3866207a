/** `tiphys preflight`: checks a cluster before Tiphys replaces its Argo Workflows. Changes nothing. */
import { Command } from "commander";
import { countText } from "@tiphys/base/count_text";
import type { Finding } from "@tiphys/installation/preflight";
import { CommandError, endWith, EXIT_CODE } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { escapeControls } from "../view/plain.ts";
import { type OutputForm, outputOption, printList } from "../view/print_object.ts";
import { tableLines } from "../view/table.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly output?: OutputForm;
  readonly controllerNamespace: string;
  readonly configmap?: string;
  readonly managedNamespace?: string;
}

/** Creates the command `preflight`. */
export function preflightCommand(world: World): Command {
  return new Command("preflight")
    .option("--controller-namespace <name>", "namespace of the installed controller", "argo")
    .option("--configmap <name>", "ConfigMap of the installed controller (default: the one that its arguments name)")
    .option("--managed-namespace <name>", "namespace that the controller manages (default: according to its arguments)")
    .addOption(outputOption("json", "yaml"))
    .addHelpText(
      "after",
      "\nExit code: 0 without problems, even with warnings; 1 with a problem that prevents a takeover",
    )
    .action((_flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async (connection) => {
        if (!connection.preflight) {
          throw new CommandError(
            "preflight requires direct access to the cluster: unset --argo-server and ARGO_SERVER",
          );
        }
        const { controllerNamespace, configmap, managedNamespace } = flags;
        const findings = await connection.preflight({ controllerNamespace, configMap: configmap, managedNamespace });
        if (!printList(world, findings, ({ subject }) => subject, flags.output)) {
          world.out(`${linesOf(findings).join("\n")}\n`);
        }
        if (findings.some(({ severity }) => severity === "problem")) throw endWith(EXIT_CODE.failed);
      });
    });
}

function linesOf(findings: readonly Finding[]): string[] {
  const rows = findings.map(({ check, severity, subject, path, message }) =>
    [check, severity, path === undefined ? subject : `${subject} ${path}`, message].map(escapeControls)
  );
  const count = (which: Finding["severity"]) => findings.filter(({ severity }) => severity === which).length;
  return [
    ...tableLines([["CHECK", "RESULT", "SUBJECT", "MESSAGE"], ...rows]),
    "",
    `${countText(count("problem"), "problem")}, ${countText(count("warning"), "warning")}`,
  ];
}
