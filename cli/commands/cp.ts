/** `tiphys cp`: copies output artifacts of a workflow to a local folder, or local files to an artifact store. */
import { Command } from "commander";
import type { Workflow } from "@tiphys/model/api";
import { keyOf } from "@tiphys/model/artifact/location";
import { forEachConcurrently } from "@tiphys/artifacts/transfer/for_each_concurrently";
import { trimCharacters } from "@tiphys/base/go/text";
import { Folder, resolveEntry } from "@tiphys/base/confined";
import { nodePath, templateNameOf } from "@tiphys/model/status";
import { type NodeArtifact, outputArtifacts, resolveName } from "@tiphys/service";
import { badInput, CommandError } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { type StoreAddress, storeAddress } from "../upload/store_address.ts";
import { escapeControls } from "../view/plain.ts";
import { type OutputForm, outputOption, printList } from "../view/print_object.ts";
import type { Connection, World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly nodeId?: string;
  readonly templateName?: string;
  readonly artifactName?: string;
  readonly path: string;
  readonly missing?: boolean;
  readonly repository?: string;
  readonly output?: OutputForm;
}

/** Maximum number of artifacts that are copied concurrently. */
const AT_ONCE = 4;

/** Default folder of an artifact below the target directory. */
const DEFAULT_PATH = "{namespace}/{workflowName}/{nodeId}/outputs/{artifactName}";

/** Creates the command `cp`. */
export function cpCommand(world: World): Command {
  return new Command("cp")
    .argument(
      "<workflow|files>",
      "name of a workflow, @latest is the newest; or files and folders with * and **",
    )
    .argument(
      "<directory|address...>",
      "target folder; or a store: s3://BUCKET/KEY, repository://KEY",
    )
    .option("--node-id <id>", "only artifacts of this node")
    .option("--template-name <name>", "only artifacts of nodes of this template")
    .option("--artifact-name <name>", "only artifacts of this name")
    .option(
      "--path <path>",
      "folder of each artifact: {namespace}, {workflowName}, {nodeId}, {nodeName}, {templateName}, {artifactName}",
      DEFAULT_PATH,
    )
    .option("--missing", "only artifacts that are missing here: resumes an interrupted copy")
    .option(
      "--repository <name>",
      "repository for files: a key of the ConfigMap artifact-repositories, or CONFIGMAP#KEY",
    )
    .addOption(outputOption("name", "json"))
    .action((first: string, others: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const sources = [first, ...others];
      const to = sources.pop()!;
      const address = storeAddress(to);
      checkArguments(flags, sources, address);
      return withCluster(world, flags, async (connection) => {
        if (!address) return await copyArtifacts(first, to, { flags, connection, world });
        const { upload } = await import("../upload/upload.ts");
        await upload(sources, address, { world, connection, repository: flags.repository, output: flags.output });
      });
    });
}

/** @throws {CommandError} for flags and arguments that apply to the other direction of copying only. */
function checkArguments(flags: Flags, sources: readonly string[], address: StoreAddress | undefined): void {
  if (!address) {
    if (sources.length > 1) {
      throw badInput("Expected a store as the target of several files: s3://BUCKET/KEY or repository://KEY");
    }
    if (flags.repository !== undefined) throw badInput("--repository applies to files that are copied to a store");
    return;
  }
  const { nodeId, templateName, artifactName, missing, path } = flags;
  const others = { "--node-id": nodeId, "--template-name": templateName, "--artifact-name": artifactName };
  const [other] = Object.entries({
    ...others,
    "--missing": missing,
    "--path": path === DEFAULT_PATH ? undefined : path,
  })
    .filter(([, value]) => value !== undefined);
  if (other) throw badInput(`${other[0]} applies to artifacts of a workflow`);
}

interface Copy {
  readonly flags: Flags;
  readonly connection: Connection;
  readonly world: World;
}

async function copyArtifacts(
  requestedName: string,
  directory: string,
  { flags, connection, world }: Copy,
): Promise<void> {
  const { service, namespace } = connection;
  const workflow = await service.get(namespace, await resolveName(service, namespace, requestedName));
  const found = outputArtifacts(workflow, flags);
  if (found.length === 0) {
    const { nodeId, templateName, artifactName } = flags;
    // As in Argo, copying a workflow without artifacts succeeds; flags that match no artifact are a mistake.
    if (nodeId ?? templateName ?? artifactName) {
      throw new CommandError(`Workflow ${workflow.metadata.name} has no such output artifact`);
    }
    world.err(`Workflow ${workflow.metadata.name} has no output artifacts\n`);
    return;
  }
  await using _served = await connection.serveArtifacts?.();
  const stop = new AbortController();
  using _listener = world.onInterrupt(() => stop.abort());
  Deno.mkdirSync(directory, { recursive: true });
  using root = Folder.open(directory);
  const copied: { readonly node: string; readonly artifact: string; readonly path: string }[] = [];
  let failures = 0;
  const reportFailure = ({ artifact, node }: NodeArtifact, error: unknown) => {
    if (!(error instanceof Error)) throw error;
    failures++;
    world.err(`${escapeControls(`${artifact.name} of ${node.id}: ${error.message}`)}\n`);
  };
  // Artifacts with the same path are copied one after the other, so that the last one always replaces the others.
  const paths = new Map<string, NodeArtifact[]>();
  for (const artifact of found) {
    try {
      const path = pathOf(workflow, artifact, flags.path);
      paths.set(path, [...paths.get(path) ?? [], artifact]);
    } catch (error) {
      reportFailure(artifact, error);
    }
  }
  await forEachConcurrently(paths, AT_ONCE, async ([path, all]) => {
    for (const artifact of all) {
      try {
        if (flags.missing && exists(root, path)) continue;
        await fetchTo(root, path, async (target) => {
          const choice = { nodeId: artifact.node.id, artifactName: artifact.artifact.name };
          await service.loadArtifact(workflow, choice, { target, signal: stop.signal, env: (name) => world.env(name) });
        });
        const created = `${trimCharacters(directory, "/", "right")}/${path}`;
        copied.push({ node: artifact.node.id, artifact: artifact.artifact.name, path: created });
        if (flags.output === undefined) world.err(`Created ${escapeControls(JSON.stringify(created))}\n`);
      } catch (error) {
        if (stop.signal.aborted) throw new CommandError("Interrupted: incomplete files are removed");
        reportFailure(artifact, error);
      }
    }
  });
  printList(world, copied, (file) => escapeControls(file.path), flags.output);
  if (failures > 0) throw new CommandError(`${failures} of ${found.length} artifacts could not be copied`);
}

/**
 * Returns the path of an artifact below the directory. The names of a workflow are untrusted: the path never leaves the
 * directory.
 * @throws {CommandError} for a path that would.
 */
function pathOf(workflow: Workflow, { node, artifact }: NodeArtifact, pattern: string): string {
  const values: Readonly<Record<string, string>> = {
    namespace: workflow.metadata.namespace ?? "",
    workflowName: workflow.metadata.name ?? "",
    nodeId: node.id,
    nodeName: nodePath(node.name, workflow.metadata.name ?? "").replaceAll("/", "_"),
    templateName: templateNameOf(node),
    artifactName: artifact.name,
  };
  const folders = pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    if (!Object.hasOwn(values, name)) return whole;
    return requireFileName(values[name]!, `the ${name}`);
  });
  const file = requireFileName(
    trimCharacters(keyOf(artifact) ?? artifact.name, "/", "right").split("/").at(-1)!,
    "the end of the key",
  );
  const parts = folders.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw new CommandError(`the path ${JSON.stringify(folders)} is outside of the directory`);
  return [...parts, file].join("/");
}

/** Returns a word that is a valid file name. @throws {CommandError} for other words. */
function requireFileName(word: string, subject: string): string {
  if (word !== "" && word !== "." && word !== ".." && !/[/\0]/.test(word)) return word;
  throw new CommandError(`${subject} is ${JSON.stringify(word)}, which is not a valid file name: it is not copied`);
}

/** Whether a path exists. An artifact gets its final path only when it is complete. */
function exists(root: Folder, path: string): boolean {
  using found = resolveEntry(root, path, { links: "refuse" });
  return found.parent?.stat(found.name) !== undefined;
}

/**
 * Fetches to a temporary name, then renames it to the path below a folder. Replaces an existing file.
 * @throws {CommandError} if the path is an existing folder.
 */
async function fetchTo(
  root: Folder,
  path: string,
  fetch: (target: { readonly folder: Folder; readonly name: string }) => Promise<void>,
): Promise<void> {
  using found = resolveEntry(root, path, { links: "refuse", make: 0o777 });
  const { parent: folder, name } = found;
  if (!folder) throw new CommandError(`${path} cannot be created`);
  if (folder.stat(name)?.isDirectory) throw new CommandError(`${path} is an existing folder`);
  const fresh = `.${crypto.randomUUID()}`;
  try {
    await fetch({ folder, name: fresh });
    Deno.renameSync(folder.pathOf(fresh), folder.pathOf(name));
  } finally {
    folder.remove(fresh);
  }
}
