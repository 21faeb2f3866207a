/** The commands that every kind of template has: create, update, list, get, delete, lint. */
import { clusterFlagsText, shellWord } from "./view/cluster_flags.ts";
import { escapeControls } from "./view/plain.ts";
import { Command } from "commander";
import type { KindName, ObjectMeta } from "@tiphys/model/api";
import { classifyError, type KubeObject } from "@tiphys/kube";
import type { TemplateObject } from "@tiphys/engine/workflow_actions";
import { timestamp } from "@tiphys/model/status";
import type { TemplateStore, WorkflowService } from "@tiphys/service";
import { referredTemplates } from "@tiphys/service/stored";
import { checkAsServer, refuseProblems } from "./input/check_documents.ts";
import { badInput, CommandError } from "./command_error.ts";
import { lintCommand } from "./commands/lint.ts";
import { type GlobalFlags, withCluster } from "./flags/global_flags.ts";
import { addStrictFlag } from "./flags/strict.ts";
import { documentsOfKind, filesText, isOfArgo, objectOf, readDocuments } from "./input/input_documents.ts";
import { type OutputForm, outputOption, printObject, printObjects } from "./view/print_object.ts";
import { tableLines } from "./view/table.ts";
import type { World } from "./world.ts";

/** An object of a cluster. */
interface StoredObject {
  readonly metadata: ObjectMeta;
}

/** Flags that change objects before they are written. */
export interface ResourceChanges {
  add(command: Command): Command;
  /** Returns the change that the flags request. */
  read(flags: unknown, world: World): Promise<(object: KubeObject) => KubeObject>;
  /**
   * Warns of flags that an object does not use. `object` is unchanged by the flags; `templates` are those that it
   * refers to.
   */
  warn(object: KubeObject, templates: readonly TemplateObject[], flags: unknown, world: World): Promise<void>;
}

/** The differences between the kinds. */
export interface ResourceKind<Type extends StoredObject> {
  /** The command's name. */
  readonly name: string;
  readonly store: (service: WorkflowService) => TemplateStore<Type>;
  readonly kind: KindName;
  /** Columns of the list, after the name. */
  readonly columns?: readonly { readonly title: string; readonly cell: (object: Type, now: Date) => string }[];
  /** Lines of `get` after name, namespace and age. */
  readonly facts?: (object: Type, now: Date) => readonly (readonly [string, string | undefined])[];
  /** Flags of create and update that change the objects of the files. */
  readonly changes?: ResourceChanges;
}

interface Flags extends GlobalFlags {
  readonly output?: OutputForm;
  readonly strict?: boolean;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly all?: boolean;
}

/** Creates the command with its subcommands. */
export function resourceCommand<Type extends StoredObject>(world: World, kind: ResourceKind<Type>): Command {
  return new Command(kind.name)
    .addCommand(writeCommand(world, kind, "create"))
    .addCommand(writeCommand(world, kind, "update"))
    .addCommand(listCommand(world, kind))
    .addCommand(getCommand(world, kind))
    .addCommand(deleteCommand(world, kind))
    .addCommand(lintCommand(world, kind.kind));
}

function writeCommand<Type extends StoredObject>(
  world: World,
  kind: ResourceKind<Type>,
  verb: "create" | "update",
): Command {
  const command = new Command(verb)
    .argument("<files...>", "manifests; - is the standard input");
  return addStrictFlag(kind.changes?.add(command) ?? command)
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((files: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const adviseUpdate = (error: unknown) => {
        if (classifyError(error) !== "alreadyExists") throw error;
        throw new CommandError(
          `${error instanceof Error ? error.message : error}. To replace it:  tiphys ${kind.name} update ${
            files.map(shellWord).join(" ")
          }${clusterFlagsText(flags)}`,
        );
      };
      return withCluster(world, flags, async ({ service, namespace }) => {
        const change = await kind.changes?.read(flags, world) ?? ((object: KubeObject) => object);
        const written = await readDocuments(files, world, flags.strict ? "json" : "all");
        const documents = written.map((document) => {
          const object = objectOf(document);
          return object && isOfArgo(object, kind.kind) ? { ...document, value: change(object) } : document;
        });
        const meant = documentsOfKind(documents, kind.kind, world);
        const unreadable = documents.filter(({ source }) => source.errors.length > 0);
        const stored = await referredTemplates(service, namespace, meant.map(objectOf));
        refuseProblems(checkAsServer([...meant, ...unreadable], { stored, allowUnknownFields: !flags.strict }));
        for (const object of written.map(objectOf)) {
          if (object && isOfArgo(object, kind.kind)) await kind.changes?.warn(object, stored, flags, world);
        }
        const objects = meant.flatMap((document) => objectOf(document) ?? []);
        if (objects.length === 0) throw badInput(`Expected a ${kind.kind} in ${filesText(files)}, found none`);
        for (const object of objects) {
          print(world, await kind.store(service)[verb](namespace, object).catch(adviseUpdate), kind, flags);
        }
      });
    });
}

function listCommand<Type extends StoredObject>(world: World, kind: ResourceKind<Type>): Command {
  const { columns = [] } = kind;
  return new Command("list")
    .option("-A, --all-namespaces", "objects of all namespaces")
    .option("-l, --selector <labels>", "only objects with these labels")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((_flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ service, namespace }) => {
        const { allNamespaces: all, output, selector: labelSelector } = flags;
        const items = await kind.store(service).list(all ? undefined : namespace, { labelSelector });
        if (printObjects(world, items, output)) return;
        const titles = [...(all ? ["NAMESPACE"] : []), "NAME", ...columns.map(({ title }) => title)];
        const rows = items.map((item) => [
          ...(all ? [item.metadata.namespace ?? ""] : []),
          item.metadata.name ?? "",
          ...columns.map(({ cell }) => escapeControls(cell(item, world.now()))),
        ]);
        world.out(tableLines([titles, ...rows], 3).map((line) => `${line}\n`).join(""));
      });
    });
}

function getCommand<Type extends StoredObject>(world: World, kind: ResourceKind<Type>): Command {
  return new Command("get").argument("<names...>", "names of the objects")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((names: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ service, namespace }) => {
        for (const name of names) {
          print(world, await kind.store(service).get(namespace, name), kind, flags);
        }
      });
    });
}

function deleteCommand<Type extends StoredObject>(world: World, { store, kind }: ResourceKind<Type>): Command {
  return new Command("delete").argument("[names...]", "names of the objects")
    .option("--all", "all objects")
    .action((requestedNames: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      if (requestedNames.length === 0 && !flags.all) throw badInput("Expected names, or --all");
      return withCluster(world, flags, async ({ service, namespace }) => {
        const objects = store(service);
        const all = async () => (await objects.list(namespace)).map(({ metadata }) => metadata.name ?? "");
        for (const name of flags.all ? await all() : requestedNames) {
          await objects.delete(namespace, name);
          world.out(`${kind} '${name}' deleted\n`);
        }
      });
    });
}

function print<Type extends StoredObject>(
  world: World,
  object: Type,
  { facts }: ResourceKind<Type>,
  flags: Flags,
): void {
  if (printObject(world, object, flags.output)) return;
  const { name, namespace, creationTimestamp } = object.metadata;
  const all: readonly (readonly [string, string | undefined])[] = [
    ["Name", name],
    ["Namespace", namespace],
    ["Created", creationTimestamp && timestamp(creationTimestamp, world.now())],
    ...facts?.(object, world.now()) ?? [],
  ];
  world.out(
    all.filter(([, value]) => value).map(([title, value]) =>
      `${`${title}:`.padEnd(30)} ${escapeControls(value ?? "")}\n`
    ).join(
      "",
    ),
  );
}
