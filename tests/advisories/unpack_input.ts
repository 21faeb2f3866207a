/** Loads and unpacks an archive as an input artifact, as the executor does in a pod. */
import { memoryStore } from "../../executor/testing/memory_store.ts";
import { stageTemplate } from "../../executor/before_main/stage.ts";
import type { TemplateArtifact } from "../../executor/pod/template.ts";
import { testWorld } from "../../executor/testing/world.ts";
import { listingOf } from "../../lib/artifacts/formats/testing/raw_archives.ts";
import { ENV, PATH } from "@tiphys/base/constants";

/** The bytes of an input artifact, and its field `archive`. */
export interface PackedInput {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly archive: TemplateArtifact["archive"];
}

/**
 * Unpacks the artifact. Returns the error message, if any, and the changed lines of a file listing outside the
 * artifact's path.
 */
export async function unpackInput({ bytes, archive }: PackedInput): Promise<{ problem?: string; outside: string[] }> {
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
