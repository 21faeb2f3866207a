/**
 * `tiphys artifact`: lists, measures and deletes the output artifacts of a workflow, and explains their garbage
 * collection.
 */
import { Command } from "commander";
import type { Workflow } from "@tiphys/model/api";
import { countText } from "@tiphys/base/count_text";
import { type DeletionPlan, deletionPlanOf, notOwnedReason } from "@tiphys/model/artifact_garbage";
import { keyOf, placeOf, storeTextOf } from "@tiphys/model/artifact/location";
import { storeOf } from "@tiphys/model/artifact/stores";
import { displayName } from "@tiphys/artifacts/transfer/how";
import { forEachConcurrently } from "@tiphys/artifacts/transfer/for_each_concurrently";
import { FINALIZER } from "@tiphys/base/constants";
import { templateNameOf } from "@tiphys/model/status";
import { type ArtifactChoice, type NodeArtifact, outputArtifacts, resolveName } from "@tiphys/service";
import { createRemoval } from "@tiphys/service/removal";
import { CommandError } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { escapeControls } from "../view/plain.ts";
import { type OutputForm, outputOption, printList } from "../view/print_object.ts";
import { sizeText } from "../view/size_text.ts";
import { tableLines } from "../view/table.ts";
import type { Connection, World } from "../world.ts";

/** Maximum number of concurrent requests to stores. */
const AT_ONCE = 4;
const SHORT_DIGEST = "sha256:".length + 12;

interface Flags extends GlobalFlags {
  readonly nodeId?: string;
  readonly templateName?: string;
  readonly artifactName?: string;
  readonly output?: OutputForm;
}

/** Creates the command `artifact`. */
export function artifactCommand(world: World): Command {
  return new Command("artifact")
    .addCommand(listCommand(world))
    .addCommand(usageCommand(world))
    .addCommand(removeCommand(world))
    .addCommand(garbageCommand(world));
}

function workflowCommand(name: string): Command {
  return new Command(name)
    .argument("<workflow>", "name; @latest is the newest")
    .option("--node-id <id>", "only artifacts of this node")
    .option("--template-name <name>", "only artifacts of nodes of this template; * matches any text")
    .option("--artifact-name <name>", "only artifacts of this name; * matches any text")
    .addOption(outputOption("name", "json", "yaml", "wide"));
}

/** A workflow, and its output artifacts that match the flags. */
interface ArtifactSelection {
  readonly workflow: Workflow;
  readonly artifacts: readonly NodeArtifact[];
  readonly flags: Flags;
  readonly connection: Connection;
}

async function selectArtifacts(
  world: World,
  requestedName: string,
  self: Command,
  use: (selection: ArtifactSelection) => void | Promise<void>,
) {
  const flags = self.optsWithGlobals<Flags>();
  await withCluster(world, flags, async (connection) => {
    const { service, namespace } = connection;
    const workflow = await service.get(namespace, await resolveName(service, namespace, requestedName));
    await use({ workflow, artifacts: outputArtifacts(workflow, flags), flags, connection });
  });
}

function print(world: World, title: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return world.out("No artifacts found\n");
  const lines = tableLines([title, ...rows.map((row) => row.map(escapeControls))], 3);
  world.out(lines.map((line) => `${line}\n`).join(""));
}

/** Returns the name of an artifact within its workflow: `NODE/ARTIFACT`. */
function nameOf({ node, artifact }: { readonly node: string; readonly artifact: string }): string {
  return `${escapeControls(node)}/${escapeControls(artifact)}`;
}

function listCommand(world: World): Command {
  return workflowCommand("ls").alias("list")
    .action(async (requestedName: string, _flags: unknown, self: Command) => {
      await selectArtifacts(world, requestedName, self, ({ artifacts, flags }) => {
        const rows = artifacts.map(rowOf);
        if (printList(world, rows, nameOf, flags.output)) return;
        const isWide = flags.output === "wide";
        const title = ["NODE", ...isWide ? ["TEMPLATE"] : [], "ARTIFACT", "SIZE", "DIGEST", "KEY"];
        print(
          world,
          title,
          rows.map(({ node, template, artifact, size, digest = "", key = "", deleted }) => [
            node,
            ...isWide ? [template] : [],
            artifact,
            deleted ? "deleted" : size === undefined ? "" : sizeText(size),
            isWide ? digest : digest.slice(0, SHORT_DIGEST),
            key,
          ]),
        );
      });
    });
}

function rowOf({ node, artifact }: NodeArtifact) {
  const { name, size, digest, objects, deleted } = artifact;
  return {
    node: node.id,
    template: templateNameOf(node),
    artifact: name,
    store: storeOf(artifact),
    key: keyOf(artifact),
    size: size === undefined ? undefined : Number(size),
    digest,
    objects: objects === undefined ? undefined : Number(objects),
    deleted,
  };
}

function usageCommand(world: World): Command {
  return workflowCommand("du")
    .action(async (requestedName: string, _flags: unknown, self: Command) => {
      await selectArtifacts(world, requestedName, self, (selection) => showUsage(world, selection));
    });
}

/** The space that an artifact uses in its store. */
interface Usage {
  readonly node: string;
  readonly artifact: string;
  readonly objects: number;
  readonly bytes?: number;
  readonly key?: string | undefined;
}

async function showUsage(world: World, { workflow, artifacts, flags, connection }: ArtifactSelection): Promise<void> {
  const { service } = connection;
  const measured = withoutDuplicates(artifacts.filter(({ artifact }) => !artifact.deleted));
  const rows: Usage[] = [];
  const failed: string[] = [];
  await using _served = await connection.serveArtifacts?.();
  const stop = new AbortController();
  using _listener = world.onInterrupt(() => stop.abort());
  const env = (name: string) => world.env(name);
  await forEachConcurrently([...measured.entries()], AT_ONCE, async ([index, { node, artifact }]) => {
    const choice = { nodeId: node.id, artifactName: artifact.name };
    try {
      const size = await service.measureArtifact(workflow, choice, { signal: stop.signal, env });
      rows[index] = { node: node.id, artifact: artifact.name, ...size, key: keyOf(artifact) };
    } catch (error) {
      if (stop.signal.aborted) throw new CommandError("Interrupted");
      if (!(error instanceof Error)) throw error;
      failed[index] = `${artifact.name} of ${node.id}: ${error.message}`;
    }
  });
  showSizes(world, Object.values(rows), flags.output);
  const failures = Object.values(failed);
  for (const failure of failures) world.err(`${escapeControls(failure)}\n`);
  if (failures.length > 0) {
    throw new CommandError(`${failures.length} of ${measured.length} artifacts could not be measured`);
  }
}

function showSizes(world: World, rows: readonly Usage[], form: OutputForm | undefined): void {
  if (printList(world, rows, nameOf, form)) return;
  const isWide = form === "wide";
  const sizeOf = (bytes: number | undefined) => bytes === undefined ? "unknown" : sizeText(bytes);
  const cells = rows.map(({ node, artifact, bytes, objects, key = "" }) => [
    sizeOf(bytes),
    String(objects),
    node,
    artifact,
    ...isWide ? [key] : [],
  ]);
  const known = rows.reduce<number | undefined>(
    (sum, { bytes }) => sum === undefined || bytes === undefined ? undefined : sum + bytes,
    0,
  );
  const total = [sizeOf(known), String(rows.reduce((sum, { objects }) => sum + objects, 0)), "total"];
  print(
    world,
    ["SIZE", "OBJECTS", "NODE", "ARTIFACT", ...isWide ? ["KEY"] : []],
    rows.length > 1 ? [...cells, total] : cells,
  );
}

/**
 * Removes artifacts with the location of another one: a steps node has the output artifacts of the pods within it.
 * Artifacts of pods are preferred.
 */
function withoutDuplicates(artifacts: readonly NodeArtifact[]): NodeArtifact[] {
  const byPods = artifacts.toSorted((a, b) => Number(b.node.type === "Pod") - Number(a.node.type === "Pod"));
  const places = new Set<string>();
  const kept = new Set(byPods.filter(({ node, artifact }) => {
    const location = placeOf(artifact);
    const place = JSON.stringify(location ? [storeTextOf(location), location.key] : [node.id, artifact.name]);
    return !places.has(place) && places.add(place);
  }));
  return artifacts.filter((artifact) => kept.has(artifact));
}

function removeCommand(world: World): Command {
  return new Command("rm")
    .argument("<workflow>", "name; @latest is the newest")
    .argument(
      "<artifacts...>",
      "NODE/ARTIFACT, with the ID or display name of the node; ARTIFACT alone if its name is unique",
    )
    .option("--dry-run", "only print what would be deleted")
    .action(async (requestedName: string, names: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<RemoveFlags>();
      await withCluster(world, flags, async (connection) => {
        const { service, namespace } = connection;
        const workflow = await service.get(namespace, await resolveName(service, namespace, requestedName));
        // Resolves every name before the first deletion.
        const choices = names.map((name) => choiceOf(workflow, name));
        await removeAll(world, { connection, workflow, choices, dryRun: flags.dryRun === true });
      });
    });
}

interface RemoveFlags extends GlobalFlags {
  readonly dryRun?: boolean;
}

/** @throws {CommandError} for a name that matches no artifact, or more than one. */
function choiceOf(workflow: Workflow, name: string): ArtifactChoice {
  const index = name.lastIndexOf("/");
  const [nodeName, artifactName] = [name.slice(0, Math.max(0, index)), name.slice(index + 1)];
  const named = outputArtifacts(workflow).filter(({ artifact }) => artifact.name === artifactName);
  const byId = named.filter(({ node }) => index < 0 ? notOwnedReason(node) === undefined : node.id === nodeName);
  const all = byId.length > 0 ? byId : named.filter(({ node }) => index >= 0 && node.displayName === nodeName);
  const [first, second] = all;
  if (!first) throw new CommandError(`Workflow ${workflow.metadata.name} has no output artifact ${name}`);
  if (!second) return { nodeId: first.node.id, artifactName };
  const several = all.slice(0, 10).map(({ node }) => `${node.id}/${artifactName}`).join(", ");
  throw new CommandError(
    `${all.length} nodes of workflow ${workflow.metadata.name} have an artifact ${name}; use one of these names: ${several}`,
  );
}

interface RemoveAll {
  readonly connection: Connection;
  readonly workflow: Workflow;
  readonly choices: readonly ArtifactChoice[];
  readonly dryRun: boolean;
}

async function removeAll(world: World, { connection, workflow, choices, dryRun }: RemoveAll): Promise<void> {
  const { service } = connection;
  await using _served = await connection.serveArtifacts?.();
  const stop = new AbortController();
  using _listener = world.onInterrupt(() => stop.abort());
  const request = { signal: stop.signal, env: (name: string) => world.env(name) };
  let failures = 0;
  for (const choice of choices) {
    const name = `${choice.nodeId}/${choice.artifactName}`;
    try {
      // Also checked here: a dry run sends no delete request, which would show that the artifact cannot be deleted.
      const { place, gone } = createRemoval(workflow, choice);
      const others = gone.map(({ node, artifact }) => `${node.id}/${artifact.name}`).filter((other) => other !== name);
      const shared = others.length === 0 ? "" : `; also the location of ${others.join(", ")}`;
      if (dryRun) {
        const { objects, bytes } = await service.measureArtifact(workflow, choice, request);
        const size = bytes === undefined ? "" : `, ${sizeText(bytes)}`;
        world.out(
          `${
            escapeControls(
              `Would delete ${name} (${displayName(place)}): ${countText(objects, "object")}${size}${shared}`,
            )
          }\n`,
        );
      } else {
        const removed = await service.removeArtifact(workflow, choice, request);
        world.out(
          `${escapeControls(`Deleted ${name} (${displayName(place)}): ${countText(removed, "object")}${shared}`)}\n`,
        );
      }
    } catch (error) {
      if (stop.signal.aborted) throw new CommandError(`Interrupted: ${name} may be deleted in part`);
      if (!(error instanceof Error)) throw error;
      failures++;
      world.err(`${escapeControls(`${name}: ${error.message}`)}\n`);
    }
  }
  if (failures > 0) throw new CommandError(`${failures} of ${choices.length} artifacts could not be deleted`);
}

function garbageCommand(world: World): Command {
  return workflowCommand("garbage")
    .action(async (requestedName: string, _flags: unknown, self: Command) => {
      await selectArtifacts(world, requestedName, self, ({ workflow, artifacts, flags }) => {
        const spec = workflow.status?.storedWorkflowTemplateSpec ?? workflow.spec;
        const rows = artifacts.map(({ node, artifact }) => {
          const fate = deletionPlanOf(spec, node, artifact);
          const isLost = "goes" in fate && !hasFinalizer(workflow);
          return {
            node: node.id,
            artifact: artifact.name,
            deleted: "goes" in fate && !isLost ? fate.goes : "Never",
            why: isLost ? "the workflow has no artifact finalizer, so nothing deletes it" : reasonOf(fate, artifact),
            key: keyOf(artifact),
          };
        });
        if (printList(world, rows, nameOf, flags.output)) return;
        const isWide = flags.output === "wide";
        print(
          world,
          ["NODE", "ARTIFACT", "DELETED", "WHY", ...isWide ? ["KEY"] : []],
          rows.map(({ node, artifact, deleted, why, key = "" }) => [
            node,
            artifact,
            deleted,
            why,
            ...isWide ? [key] : [],
          ]),
        );
      });
    });
}

/**
 * Whether a finalizer keeps a workflow until its artifacts are deleted. One that has not started gets it when it needs
 * it.
 */
function hasFinalizer({ metadata, status }: Workflow): boolean {
  return !status?.phase || metadata.finalizers?.includes(FINALIZER.artifactGc) === true;
}

function reasonOf(fate: DeletionPlan, artifact: NodeArtifact["artifact"]): string {
  if ("goes" in fate) return `artifactGC of the ${fate.setBy}`;
  switch (fate.keptBecause) {
    case "never":
      return artifact.artifactGC?.strategy ? "artifactGC of the artifact" : "no artifactGC strategy is set";
    case "deleted":
      return "already deleted";
    case "cached":
      return "from a memoization cache: it belongs to another workflow";
    case "repeated":
      return "belongs to a node within this one";
    case "undeletable":
      return `stores of kind ${storeOf(artifact)} do not support deletion`;
  }
}
