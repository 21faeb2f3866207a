/**
 * `tiphys executor-plugin build`: writes the ConfigMap and the README of a plugin from its manifest and its server's
 * source.
 */
import { Command } from "commander";
import { API_VERSION, ExecutorPlugin, formatFieldError, parseWith } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import { executorPluginProblem } from "@tiphys/language/validate";
import { parseYaml, stringifyYaml } from "@tiphys/model/yaml";
import { badInput } from "../command_error.ts";
import type { World } from "../world.ts";

const MANIFEST = "plugin.yaml";
const VERSION = "workflows.argoproj.io/version";
const MAX_CHARACTERS = 1 << 20;

/** A plugin with metadata. */
type Plugin = ExecutorPlugin & { readonly metadata: NonNullable<ExecutorPlugin["metadata"]> };

/** Creates the command `executor-plugin`. */
export function executorPluginCommand(world: World): Command {
  const build = new Command("build")
    .argument("<folder>", `the folder with ${MANIFEST} and, perhaps, the source of its server: server.*`)
    .action(async (directory: string) => {
      const folder = directory.replace(/\/$/, "") || "/";
      const plugin = await readPlugin(folder);
      const name = plugin.metadata.name ?? "";
      const map = `${name}-executor-plugin-configmap.yaml`;
      const files = { [map]: configMapText(plugin), "README.md": pageText(plugin, map) };
      for (const [file, text] of Object.entries(files)) {
        await Deno.writeTextFile(`${folder}/${file}`, text);
        world.out(`${folder}/${file} created\n`);
      }
    });
  return new Command("executor-plugin").addCommand(build);
}

/** @throws {CommandError} for an invalid manifest, or one that lacks a field that the agent's pod requires. */
async function readPlugin(folder: string): Promise<Plugin> {
  const file = `${folder}/${MANIFEST}`;
  const text = await readText(file);
  const [document, ...more] = parseYaml(text);
  const [mistake] = document?.errors ?? [];
  if (mistake) throw badInput(`${file}:${mistake.line}: ${mistake.message}`);
  if (!document || more.length > 0) throw badInput(`${file}: expected one plugin`);
  const { apiVersion, kind, ...rest } = (document.value ?? {}) as Readonly<Record<string, unknown>>;
  if (kind !== "ExecutorPlugin" || apiVersion !== API_VERSION) {
    throw badInput(`${file}: expected an ExecutorPlugin of ${API_VERSION}`);
  }
  const parsed = parseWith(ExecutorPlugin, rest, "strict");
  if (!parsed.ok) throw badInput(`${file}: ${parsed.errors.map(formatFieldError).join("; ")}`);
  const { metadata = {}, spec } = parsed.value;
  const plugin = withServer({ metadata, spec }, await serverOf(folder));
  const problem = executorPluginProblem(plugin);
  if (problem) throw badInput(`${file}: ${problem}`);
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(plugin.metadata.name ?? "")) {
    throw badInput(`${file}: metadata.name: ${JSON.stringify(plugin.metadata.name)} is not a valid object name`);
  }
  return plugin;
}

/** Reads the source of the server: the file `server.*` in the folder of the manifest. Undefined without such a file. */
async function serverOf(folder: string): Promise<string | undefined> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) if (isFile && name.startsWith("server.")) names.push(name);
  if (names.length > 1) {
    throw badInput(`${folder}: expected one source of the server, found ${names.sort().join(", ")}`);
  }
  return names[0] === undefined ? undefined : await readText(`${folder}/${names[0]}`);
}

async function readText(file: string): Promise<string> {
  const { size } = await Deno.stat(file).catch((error) => {
    throw badInput(`${file}: ${error instanceof Deno.errors.NotFound ? "file not found" : error.message}`);
  });
  if (size > MAX_CHARACTERS) {
    throw badInput(`${file}: ${size} bytes exceed the ${MAX_CHARACTERS} bytes of a ConfigMap`);
  }
  return await Deno.readTextFile(file);
}

/** Returns the plugin with the source as the argument of its container. */
function withServer(plugin: Plugin, source: string | undefined): Plugin {
  if (source === undefined) return plugin;
  const { sidecar } = plugin.spec;
  return {
    ...plugin,
    spec: { ...plugin.spec, sidecar: { ...sidecar, container: { ...sidecar.container, args: [source] } } },
  };
}

function configMapText({ metadata, spec: { sidecar } }: Plugin): string {
  const map = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: `${metadata.name}-executor-plugin`,
      ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
      ...(metadata.annotations ? { annotations: metadata.annotations } : {}),
      labels: { ...metadata.labels, "workflows.argoproj.io/configmap-type": "ExecutorPlugin" },
    },
    data: {
      "sidecar.automountServiceAccountToken": String(sidecar.automountServiceAccountToken ?? false),
      "sidecar.container": stringifyYaml(sidecar.container),
    },
  };
  return `# This is an auto-generated file. DO NOT EDIT\n${stringifyYaml(map)}`;
}

function pageText({ metadata, spec: { sidecar } }: Plugin, map: string): string {
  const { name, annotations = {} } = metadata;
  const needs = annotations[VERSION] ? `* Needs: ${annotations[VERSION]}\n` : "";
  return `<!-- This is an auto-generated file. DO NOT EDIT -->
# ${name}

${needs}* Image: ${sidecar.container.image ?? ""}

${annotations[ANNOTATION.description] ?? ""}

Install:

    kubectl apply -f ${map}

Uninstall:

    kubectl delete cm ${name}-executor-plugin
`;
}
