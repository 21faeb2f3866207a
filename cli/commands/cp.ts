/** `tiphys cp`: output artifacts of a workflow to a folder here, or files of this machine to a store. */
import { Command } from "commander";
import type { Workflow } from "@tiphys/model/api";
import { keyOf } from "@tiphys/model/artifact/location";
import { sideBySide } from "@tiphys/artifacts/transfer/side_by_side";
import { trimCharacters } from "@tiphys/base/go/text";
import { Folder, walk } from "@tiphys/base/confined";
import { nodePath, templateNameOf } from "@tiphys/model/status";
import { type NodeArtifact, outputArtifacts, resolveName } from "@tiphys/service";
import { badInput, CommandError } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { type StoreAddress, storeAddress } from "../upload/store_address.ts";
import { plain } from "../view/plain.ts";
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

/** Artifacts that are copied at once. */
const AT_ONCE = 4;

/** The path at which an artifact is put below the directory, unless the user names another. */
const USUAL_PATH = "{namespace}/{workflowName}/{nodeId}/outputs/{artifactName}";

/** Makes the command. */
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
      USUAL_PATH,
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
      check(flags, sources, address);
      return withCluster(world, flags, async (connection) => {
        if (!address) return await copy(first, to, { flags, connection, world });
        const { upload } = await import("../upload/upload.ts");
        await upload(sources, address, { world, connection, repository: flags.repository, output: flags.output });
      });
    });
}

/** @throws {CommandError} for flags and arguments of the other direction. */
function check(flags: Flags, sources: readonly string[], address: StoreAddress | undefined): void {
  if (!address) {
    if (sources.length > 1) throw badInput("Several files go to a store: expected s3://BUCKET/KEY or repository://KEY");
    if (flags.repository !== undefined) throw badInput("--repository is for files that go to a store");
    return;
  }
  const { nodeId, templateName, artifactName, missing, path } = flags;
  const others = { "--node-id": nodeId, "--template-name": templateName, "--artifact-name": artifactName };
  const [other] = Object.entries({ ...others, "--missing": missing, "--path": path === USUAL_PATH ? undefined : path })
    .filter(([, value]) => value !== undefined);
  if (other) throw badInput(`${other[0]} is for artifacts of a workflow`);
}

interface Copy {
  readonly flags: Flags;
  readonly connection: Connection;
  readonly world: World;
}

async function copy(given: string, directory: string, { flags, connection, world }: Copy): Promise<void> {
  const { service, namespace } = connection;
  const workflow = await service.get(namespace, await resolveName(service, namespace, given));
  const found = outputArtifacts(workflow, flags);
  if (found.length === 0) {
    const { nodeId, templateName, artifactName } = flags;
    // As in Argo, a workflow without artifacts is copied; a choice that means none is a mistake.
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
  const tell = ({ artifact, node }: NodeArtifact, error: unknown) => {
    if (!(error instanceof Error)) throw error;
    failures++;
    world.err(`${plain(`${artifact.name} of ${node.id}: ${error.message}`)}\n`);
  };
  // Two of one path follow each other: the second replaces the first, whichever of the two is larger.
  const paths = new Map<string, NodeArtifact[]>();
  for (const one of found) {
    try {
      const path = pathOf(workflow, one, flags.path);
      paths.set(path, [...paths.get(path) ?? [], one]);
    } catch (error) {
      tell(one, error);
    }
  }
  await sideBySide(paths, AT_ONCE, async ([path, all]) => {
    for (const one of all) {
      try {
        if (flags.missing && isThere(root, path)) continue;
        await fetchTo(root, path, async (target) => {
          const choice = { nodeId: one.node.id, artifactName: one.artifact.name };
          await service.loadArtifact(workflow, choice, { target, signal: stop.signal, env: (name) => world.env(name) });
        });
        const created = `${trimCharacters(directory, "/", "right")}/${path}`;
        copied.push({ node: one.node.id, artifact: one.artifact.name, path: created });
        if (flags.output === undefined) world.err(`Created ${plain(JSON.stringify(created))}\n`);
      } catch (error) {
        if (stop.signal.aborted) throw new CommandError("Interrupted: what was not whole is removed");
        tell(one, error);
      }
    }
  });
  printList(world, copied, (one) => plain(one.path), flags.output);
  if (failures > 0) throw new CommandError(`${failures} of ${found.length} artifacts could not be copied`);
}

/**
 * The path of an artifact below the directory. A workflow's words about itself may be anybody's, so none of them
 * leads out.
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
    return checked(values[name]!, `the ${name}`);
  });
  const file = checked(
    trimCharacters(keyOf(artifact) ?? artifact.name, "/", "right").split("/").at(-1)!,
    "the end of the key",
  );
  const parts = folders.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw new CommandError(`the path ${JSON.stringify(folders)} leads out of the directory`);
  return [...parts, file].join("/");
}

/** A word that is one name on a disk. */
function checked(word: string, what: string): string {
  if (word !== "" && word !== "." && word !== ".." && !/[/\0]/.test(word)) return word;
  throw new CommandError(`${what} is ${JSON.stringify(word)}, which is no name of a file: it is not copied`);
}

/** Whether anything lies at a path: what is fetched lies there when it is whole, and not before. */
function isThere(root: Folder, path: string): boolean {
  using found = walk(root, path, { links: "refuse" });
  return found.parent?.look(found.name) !== undefined;
}

/** Has something fetched to a path below a folder, in the place of a file that is there; folders are left alone. */
async function fetchTo(
  root: Folder,
  path: string,
  fetch: (target: { readonly folder: Folder; readonly name: string }) => Promise<void>,
): Promise<void> {
  using found = walk(root, path, { links: "refuse", make: 0o777 });
  const { parent: folder, name } = found;
  if (!folder) throw new CommandError(`${path} cannot be made`);
  if (folder.look(name)?.isDirectory) throw new CommandError(`${path} is a folder that is there already`);
  const fresh = `.${crypto.randomUUID()}`;
  try {
    await fetch({ folder, name: fresh });
    Deno.renameSync(folder.at(fresh), folder.at(name));
  } finally {
    folder.remove(fresh);
  }
}
