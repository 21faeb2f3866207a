/** An archive on the way of an input artifact: loaded and unpacked by the executor as in a pod. */
import { memoryStore } from "../../executor/testing/memory_store.ts";
import { stageTemplate } from "../../executor/before_main/stage.ts";
import type { TemplateArtifact } from "../../executor/pod/template.ts";
import { testWorld } from "../../executor/testing/world.ts";
import { listingOf } from "../../lib/artifacts/formats/testing/raw_archives.ts";
import { ENV, PATH } from "@tiphys/base/constants";

/** The bytes of an artifact, and the way in which they are unpacked. */
export interface Attempt {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly archive: TemplateArtifact["archive"];
}

/**
 * The error that refused the artifact, and the lines of the file listing outside of its place that are not as before.
 */
export async function unpackAsInput({ bytes, archive }: Attempt): Promise<{ problem?: string; outside: string[] }> {
  const store = memoryStore();
  store.objects.set("a", bytes);
  const template = { container: {}, inputs: { artifacts: [{ name: "in", path: "/in", archive, s3: { key: "a" } }] } };
  await using world = await testWorld({
    container: "supervisor",
    env: { [ENV.template]: JSON.stringify(template) },
    driverFor: store.driverFor,
  });
  for (const folder of [PATH.inputArtifacts, "/beside"]) {
    await Deno.mkdir(`${world.root}${folder}`, { recursive: true });
  }
  await world.write("/beside/file", "untouched");
  await world.write(`${PATH.inputArtifacts}/other/file`, "untouched");
  const look = () =>
    listingOf(world.root).filter((line) =>
      !line.startsWith(`${PATH.inputArtifacts}/in`) && !line.startsWith(PATH.template)
    );
  const before = look();
  const problem = await stageTemplate(world, new AbortController().signal).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const after = look();
  return {
    problem,
    outside: [...before.filter((line) => !after.includes(line)), ...after.filter((line) => !before.includes(line))],
  };
}
