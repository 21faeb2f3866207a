/** An image for tests of engines, which needs no registry, and the back end of that engine. */
import { ImageStore } from "../../../image/image_store.ts";
import { type EngineOptions, engineRuntime } from "../engine/engine.ts";
import type { EngineName } from "../engine/engine_address.ts";
import { findEngine } from "../engine/find_engine.ts";
import type { EngineClient } from "../engine/engine_client.ts";
import { makeProgramRoot } from "./program_root.ts";
import type { RuntimeMaker } from "./promises.ts";

/** An image with programs of this machine. */
export const IMAGE = "tiphys.local/programs:latest";

/** Imports the image into the engine. */
export async function importImage(engine: EngineClient): Promise<void> {
  const root = await Deno.makeTempDir();
  await Deno.chmod(root, 0o755);
  await makeProgramRoot(root);
  const { stdout } = await new Deno.Command("tar", { args: ["-C", root, "-c", "."] }).output();
  const [repo, tag] = IMAGE.split(":");
  const query = { fromSrc: "-", repo, tag };
  await engine.send("POST", "/images/create", {
    query,
    body: stdout,
    headers: { "content-type": "application/x-tar" },
  });
  await Deno.remove(root, { recursive: true });
}

/** The back end. The image that the suite calls busybox is replaced by ours. */
export function runtimeOf(name: EngineName, overrides: Partial<EngineOptions> = {}): RuntimeMaker {
  return async (folder) => {
    const engine = await findEngine(name);
    const images = new ImageStore({ folder: `${folder}/images` });
    const options = { name, engine, folder, images, dockerConfig: {}, folders: new Map(), onNotice() {} };
    const runtime = await engineRuntime({ ...options, ...overrides });
    const start: typeof runtime.start = (spec, output) =>
      runtime.start(spec.image === "busybox" ? { ...spec, image: IMAGE } : spec, output);
    return { ...runtime, start };
  };
}
