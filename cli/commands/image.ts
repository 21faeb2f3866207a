/** `tiphys image`: manages the images in which the embedded cluster runs containers. */
import { Command } from "commander";
import type { ImageStore, StoredImage } from "../../local/image/image_store.ts";
import { megabytes, progressNotices } from "../../local/image/progress_notices.ts";
import { familiarName, parseReference } from "@tiphys/registry/reference";
import { badInput, endWith, EXIT_CODE } from "../command_error.ts";
import { type OutputForm, outputOption, printList } from "../view/print_object.ts";
import { tableLines } from "../view/table.ts";
import { escapeControls } from "../view/plain.ts";
import type { World } from "../world.ts";
import { elapsed } from "@tiphys/model/status";

/** Creates the command `image`. */
export function imageCommand(world: World): Command {
  return new Command("image")
    .addCommand(loadCommand(world))
    .addCommand(pullCommand(world))
    .addCommand(listCommand(world))
    .addCommand(removeCommand(world))
    .addCommand(pruneCommand(world));
}

function loadCommand(world: World): Command {
  return new Command("load")
    .argument("[file]", "archive; - is the standard input", "-")
    .option("--name <name>", "name of the image, instead of the name in the archive")
    .action(async (file: string, { name }: { name?: string }) => {
      if (name !== undefined) checkName(name);
      const archive = await open(file, world);
      const store = await world.imageStore();
      const loaded = await store.load(archive, name).catch((error) => {
        throw badInput(`Could not load ${file}: ${messageOf(error)}`);
      });
      for (const image of loaded) world.out(`Loaded ${nameOf(image)}\n`);
    });
}

function pullCommand(world: World): Command {
  return new Command("pull")
    .argument("<names...>", "names of images")
    .action(async (names: string[]) => {
      names.forEach(checkName);
      const store = await world.imageStore();
      const onProgress = progressNotices((text) => world.err(`${escapeControls(text)}\n`));
      await forEachImage(names, world, async (name) => {
        const { digest } = await store.pull(name, { policy: "Always", onProgress });
        world.out(`Pulled ${name} (${digest})\n`);
      });
    });
}

/** A row of `ls`. */
interface Row {
  readonly name: string;
  readonly digest: string;
  /** Compressed size, in bytes. */
  readonly size: number;
  readonly since: string;
}

function listCommand(world: World): Command {
  return new Command("ls").alias("list")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action(async ({ output }: { output?: OutputForm }) => {
      const rows = (await (await world.imageStore()).list()).map(rowOf);
      if (printList(world, rows, ({ name }) => name, output)) return;
      if (rows.length === 0) return world.out("No images found\n");
      const cells = rows.map(({ name, digest, size, since }) => [
        name,
        output === "wide" ? digest : digest.slice(0, SHORT_DIGEST),
        `${megabytes(size)} MB`,
        elapsed(since, undefined, world.now()),
      ]);
      world.out(tableLines([["NAME", "DIGEST", "SIZE", "SINCE"], ...cells], 3).map((line) => `${line}\n`).join(""));
    });
}

const SHORT_DIGEST = "sha256:".length + 12;

function rowOf(image: StoredImage): Row {
  const { config, layers } = image.manifest;
  const size = [config, ...layers].reduce((sum, blob) => sum + blob.size, 0);
  return { name: nameOf(image), digest: image.digest, size, since: image.since };
}

function removeCommand(world: World): Command {
  return new Command("rm").argument("<names...>", "names of images")
    .action(async (names: string[]) => {
      names.forEach(checkName);
      const store = await world.imageStore();
      await forEachImage(names, world, async (name) => {
        if (!await store.remove(name)) throw new Error(`Image ${name} not found`);
        world.out(`Removed ${name}\n`);
      });
    });
}

function pruneCommand(world: World): Command {
  return new Command("prune")
    .action(async () => {
      const store: ImageStore = await world.imageStore();
      world.out(`Freed ${megabytes(await store.prune())} MB\n`);
    });
}

/** Acts on each image. A failure is printed and does not prevent the others. */
async function forEachImage(
  names: readonly string[],
  world: World,
  act: (name: string) => Promise<void>,
): Promise<void> {
  let failed = false;
  for (const name of names) {
    try {
      await act(name);
    } catch (error) {
      failed = true;
      world.err(`${escapeControls(messageOf(error))}\n`);
    }
  }
  if (failed) throw endWith(EXIT_CODE.failed);
}

function nameOf({ name }: StoredImage): string {
  return familiarName(parseReference(name));
}

function checkName(name: string): void {
  try {
    parseReference(name);
  } catch {
    throw badInput(
      `Expected the name of an image, such as "registry.example/team/tool:1.2", got ${JSON.stringify(name)}`,
    );
  }
}

async function open(file: string, world: World): Promise<ReadableStream<Uint8Array>> {
  try {
    return await world.openFile(file);
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound ? "file not found" : messageOf(error);
    throw badInput(`Could not read ${file}: ${reason}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
