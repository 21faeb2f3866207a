/** The page of the controller's settings, from the tables that the controller reads them with. */
import { CONTROLLER_SETTINGS, type IfUnreadable, type Setting } from "@tiphys/model/api";
import { type Variable, VARIABLES } from "../controller/config/environment.ts";
import { generatedFrom, table } from "./reference/markdown.ts";
import { UNUSED_VARIABLES } from "../controller/config/unused_variables.ts";

const UNREADABLE: Readonly<Record<IfUnreadable, string>> = {
  usual: "the default, or the value from before",
  wait: "the value from before; at the start no workflow is worked",
  hold: "no workflow is worked",
};

/** The text of `docs/settings.md`. */
export function settingsPage(): string {
  const settings = Object.entries<Setting>(CONTROLLER_SETTINGS);
  const used = settings.filter(([, { withoutEffect }]) => withoutEffect === undefined);
  const variables = Object.entries<Variable>(VARIABLES);
  return `${generatedFrom("lib/model/api and controller/config")}

# Settings of the controller

## The ConfigMap

\`workflow-controller-configmap\` (the flag \`--configmap\` names another one) lies in the controller's namespace and holds one
key for each setting, with YAML in it, or one key \`config\` with all of them. A change counts at once, without a restart,
unless it is said otherwise; the log says \`Configuration updated\`, and names what waits for a restart. Keys that begin with an underscore are remarks.

What cannot be read is told with its place, in the controller's log and by an event of the ConfigMap; it never ends the
controller, and all other keys count. The last column says what becomes of a key meanwhile. A key that nobody knows counts
as the one that it is most like, if that is not there: \`workflowRestriction\` holds back all work as a misspelled restriction
does. While no workflow is worked, nothing is changed or ended, \`/healthz\` answers 200 and says for what the controller
waits, and it goes on as soon as the ConfigMap is mended.

${
    table(
      ["Key", "Kind", "Default", "Meaning", "A change counts", "While it cannot be read"],
      used.map(([name, { kind, default: usual, meaning, ifUnreadable, takesRestart }]) => [
        `\`${name}\``,
        kind,
        usual,
        meaning,
        takesRestart ? "from the next start on" : "at once",
        UNREADABLE[ifUnreadable],
      ]),
    )
  }

This one has no effect, in Argo neither; the log names it:

${unusedTable(settings, "controller")}

These are read by Argo's API server:

${unusedTable(settings, "server")}

## The environment

Each variable is read once, at the start; one that cannot be used ends the start with its name and what is expected. An
empty variable is not set. A duration is written as \`90s\` or \`1h30m\`; a number alone is seconds.

${
    table(
      ["Variable", "Kind", "Default", "Meaning"],
      variables.map(([name, { kind, default: usual, meaning }]) => [`\`${name}\``, kind, usual, meaning]),
    )
  }

Metrics and traces are sent to a collector of OpenTelemetry where \`OTEL_EXPORTER_OTLP_ENDPOINT\`, or the one of
\`OTEL_EXPORTER_OTLP_METRICS_ENDPOINT\` and \`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT\`, says so ([metrics](metrics.md)).

Each flag of the program (\`workflow-controller --help\`) may also come from the environment, as \`ARGO_\` and its name in
capitals: \`ARGO_LOGLEVEL\` is \`--loglevel\`.

These variables of Argo's controller change nothing here; the log names those that are set:

${table(["Variable", "Why"], Object.entries(UNUSED_VARIABLES).map(([name, why]) => [`\`${name}\``, why]))}
`;
}

function unusedTable(settings: readonly (readonly [string, Setting])[], whose: "controller" | "server"): string {
  const rows = settings.filter(([, { withoutEffect }]) => withoutEffect === whose);
  return table(["Key", "Meaning"], rows.map(([name, { meaning }]) => [`\`${name}\``, meaning]));
}
