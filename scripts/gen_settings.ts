/** The page of the controller's settings, from the tables that the controller reads them with. */
import { CONTROLLER_SETTINGS, type IfInvalid, type Setting } from "@tiphys/model/api";
import { type Variable, VARIABLES } from "../controller/config/environment.ts";
import { generatedFrom, table } from "./reference/markdown.ts";
import { UNUSED_VARIABLES } from "../controller/config/unused_variables.ts";

const UNREADABLE: Readonly<Record<IfInvalid, string>> = {
  usual: "the default, or the previous value",
  wait: "the previous value; at the start, no workflow is processed",
  hold: "no workflow is processed",
};

/** The text of `docs/settings.md`. */
export function settingsPage(): string {
  const settings = Object.entries<Setting>(CONTROLLER_SETTINGS);
  const used = settings.filter(([, { withoutEffect }]) => withoutEffect === undefined);
  const variables = Object.entries<Variable>(VARIABLES);
  return `${generatedFrom("lib/model/api and controller/config")}

# Settings of the controller

## The ConfigMap

To configure the controller, edit the ConfigMap \`workflow-controller-configmap\` in its namespace (the flag \`--configmap\`
selects another name):

\`\`\`yaml
parallelism: "10"
workflowDefaults: |
  spec:
    ttlStrategy: { secondsAfterCompletion: 86400 }
\`\`\`

Each setting is a key with a YAML value; alternatively, one key \`config\` contains all of them. Most changes take effect at
once, without a restart. The log then contains \`Configuration updated\`, with the settings that wait for a restart. Keys
that begin with an underscore are comments.

Invalid keys are reported with their location, in the log and in an event of the ConfigMap. The controller keeps running
with the remaining keys; the last column contains the value that is used for the invalid one. An unknown key is treated as
the most similar missing key: \`workflowRestriction\` stops all processing, like a misspelled restriction. While processing
is stopped, nothing is changed or ended, and \`/healthz\` returns 200 with the reason. Processing continues as soon as the
ConfigMap is fixed.

${
    table(
      ["Key", "Kind", "Default", "Meaning", "Takes effect", "While invalid"],
      used.map(([name, { kind, default: defaultValue, meaning, ifUnreadable, takesRestart }]) => [
        `\`${name}\``,
        kind,
        defaultValue,
        meaning,
        takesRestart ? "at the next start" : "at once",
        UNREADABLE[ifUnreadable],
      ]),
    )
  }

This key has no effect, as in Argo; the log names it:

${unusedTable(settings, "controller")}

The server reads these keys:

${unusedTable(settings, "server")}

## The environment

Each variable is read once, at the start. An invalid value ends the start with an error that contains the variable and the
expected form. An empty variable is treated as not set. A duration is written as \`90s\` or \`1h30m\`; a number alone means seconds.

${
    table(
      ["Variable", "Kind", "Default", "Meaning"],
      variables.map(([name, { kind, default: defaultValue, meaning }]) => [`\`${name}\``, kind, defaultValue, meaning]),
    )
  }

To send metrics and traces to an OpenTelemetry collector, set \`OTEL_EXPORTER_OTLP_ENDPOINT\`, or \`OTEL_EXPORTER_OTLP_METRICS_ENDPOINT\` and \`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT\` ([metrics](metrics.md)).

Each flag of the program (\`workflow-controller --help\`) can also be set in the environment, as \`ARGO_\` and its name in
upper case: \`ARGO_LOGLEVEL\` is \`--loglevel\`.

These variables of Argo's controller have no effect; the log names those that are set:

${table(["Variable", "Why"], Object.entries(UNUSED_VARIABLES).map(([name, why]) => [`\`${name}\``, why]))}
`;
}

function unusedTable(settings: readonly (readonly [string, Setting])[], whose: "controller" | "server"): string {
  const rows = settings.filter(([, { withoutEffect }]) => withoutEffect === whose);
  return table(["Key", "Meaning"], rows.map(([name, { meaning }]) => [`\`${name}\``, meaning]));
}
