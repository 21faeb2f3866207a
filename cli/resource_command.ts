/** The commands that every kind of template has: create, update, list, get, delete, lint. */
import { Command } from "commander";
import type { KindName, ObjectMeta } from "../lib/api/mod.ts";
import type { KubeClient, KubeObject, Resource } from "../lib/kube/mod.ts";
import { refusals, refuseProblems, storedTemplates } from "./check_documents.ts";
import { badInput } from "./command_error.ts";
import { lintCommand } from "./commands/lint.ts";
import { createOrReplace } from "./create_objects.ts";
import { timestamp } from "./elapsed.ts";
import { type GlobalFlags, withCluster } from "./global_flags.ts";
import { isOurs, objectOf, readDocuments } from "./input_documents.ts";
import { type OutputForm, outputOption, printObject, printObjects } from "./print_object.ts";
import { tableLines } from "./table.ts";
import type { World } from "./world.ts";

interface Stored {
  readonly metadata: ObjectMeta;
}

/** What differs between the kinds. */
export interface ResourceKind<Type> {
  /** The command's name. */
  readonly name: string;
  readonly resource: Resource;
  readonly kind: KindName;
  /** Columns of the list, after the name. */
  readonly columns?: readonly { readonly title: string; readonly cell: (object: Type, now: Date) => string }[];
  /** What `get` says, after name, namespace and age. */
  readonly facts?: (object: Type, now: Date) => readonly (readonly [string, string | undefined])[];
}

interface Flags extends GlobalFlags {
  readonly output?: OutputForm;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly all?: boolean;
}

/** Makes the command with its sub-commands. */
export function resourceCommand<Type extends Stored>(world: World, kind: ResourceKind<Type>): Command {
  return new Command(kind.name)
    .addCommand(writeCommand(world, kind, "create"))
    .addCommand(writeCommand(world, kind, "update"))
    .addCommand(listCommand(world, kind))
    .addCommand(getCommand(world, kind))
    .addCommand(deleteCommand(world, kind))
    .addCommand(lintCommand(world, kind.kind));
}

function writeCommand<Type extends Stored>(world: World, kind: ResourceKind<Type>, verb: "create" | "update"): Command {
  const { resource } = kind;
  return new Command(verb).summary(`${verb} them from files`).argument(
    "<files...>",
    "manifests; - is the standard input",
  )
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((files: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ client, namespace }) => {
        const documents = await readDocuments(files, world);
        refuseProblems(refusals(documents, { stored: await storedTemplates(client, namespace) }));
        const objects = documents.map(objectOf).filter((object) => isOurs(object, kind.kind)) as KubeObject[];
        if (objects.length === 0) throw badInput(`Expected a ${kind.kind} in the files, found none`);
        for (const object of objects) {
          const where = resource.namespaced ? object.metadata.namespace ?? namespace : undefined;
          const written = verb === "create"
            ? await client.create<Type>(resource, where, object)
            : await createOrReplace(client, namespace, object) as unknown as Type;
          print(world, written, kind, flags);
        }
      });
    });
}

function listCommand<Type extends Stored>(world: World, kind: ResourceKind<Type>): Command {
  const { resource, columns = [] } = kind;
  return new Command("list").summary("list them")
    .option("-A, --all-namespaces", "of all namespaces")
    .option("-l, --selector <labels>", "only those with these labels")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((_flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ client, namespace }) => {
        const { allNamespaces: all, output, selector: labelSelector } = flags;
        const { items } = await client.list<Type>(resource, scope(resource, all ? undefined : namespace), {
          labelSelector,
        });
        if (printObjects(world, items, output)) return;
        const titles = [...(all ? ["NAMESPACE"] : []), "NAME", ...columns.map(({ title }) => title)];
        const rows = items.map((item) => [
          ...(all ? [item.metadata.namespace ?? ""] : []),
          item.metadata.name ?? "",
          ...columns.map(({ cell }) => cell(item, world.now())),
        ]);
        world.out(tableLines([titles, ...rows], 3).map((line) => `${line}\n`).join(""));
      });
    });
}

function getCommand<Type extends Stored>(world: World, kind: ResourceKind<Type>): Command {
  return new Command("get").summary("show them").argument("<names...>")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((names: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ client, namespace }) => {
        for (const name of names) {
          print(world, await client.get<Type>(kind.resource, scope(kind.resource, namespace), name), kind, flags);
        }
      });
    });
}

function deleteCommand<Type extends Stored>(world: World, { resource, kind }: ResourceKind<Type>): Command {
  return new Command("delete").summary("delete them").argument("[names...]")
    .option("--all", "all of them")
    .action((given: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      if (given.length === 0 && !flags.all) throw badInput("Expected names, or --all");
      return withCluster(world, flags, async ({ client, namespace }) => {
        const where = scope(resource, namespace);
        for (const name of flags.all ? await allNames(client, resource, where) : given) {
          await client.delete(resource, where, name);
          world.out(`${kind} '${name}' deleted\n`);
        }
      });
    });
}

async function allNames(client: KubeClient, resource: Resource, namespace: string | undefined): Promise<string[]> {
  return (await client.list(resource, namespace)).items.map(({ metadata }) => metadata.name ?? "");
}

function print<Type extends Stored>(world: World, object: Type, { facts }: ResourceKind<Type>, flags: Flags): void {
  if (printObject(world, object, flags.output)) return;
  const { name, namespace, creationTimestamp } = object.metadata;
  const all: readonly (readonly [string, string | undefined])[] = [
    ["Name", name],
    ["Namespace", namespace],
    ["Created", creationTimestamp && timestamp(creationTimestamp, world.now())],
    ...facts?.(object, world.now()) ?? [],
  ];
  world.out(all.filter(([, value]) => value).map(([title, value]) => `${`${title}:`.padEnd(30)} ${value}\n`).join(""));
}

function scope(resource: Resource, namespace: string | undefined): string | undefined {
  return resource.namespaced ? namespace : undefined;
}
