/** A plugin in a separate process: artifacts are files of a folder. `deno run sample_plugin.ts SOCKET FOLDER [old]` */
import { createServer } from "node:http2";
import { deferSessionEnd } from "@tiphys/base/net/session_end";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { DESCRIPTOR } from "../gen/descriptor.ts";

const [socket, folder, kind] = Deno.args as [string, string, string?];
const bytes = Uint8Array.from(atob(DESCRIPTOR), (char) => char.charCodeAt(0));
const service = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes)).getService("artifact.ArtifactService")!;

interface Artifact {
  readonly plugin: { readonly key: string; readonly configuration: string };
}

function pathOf({ plugin }: Artifact): string {
  if (plugin.configuration.includes("refuse")) throw new ConnectError("you may not", Code.PermissionDenied);
  return `${folder}/${plugin.key}`;
}

async function copy(from: string, to: string): Promise<void> {
  const { isDirectory } = await Deno.stat(from);
  if (!isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await copy(`${from}/${name}`, `${to}/${name}`);
}

async function outcome(act: () => Promise<unknown>): Promise<{ success: boolean; error: string }> {
  try {
    await act();
    return { success: true, error: "" };
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    return { success: false, error: error instanceof Deno.errors.NotFound ? "not found: no such file" : String(error) };
  }
}

const parent = (path: string) => Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });

const implementation = {
  load: ({ inputArtifact, path }: { inputArtifact: Artifact; path: string }) =>
    outcome(() => copy(pathOf(inputArtifact), path)),
  save: ({ outputArtifact, path }: { outputArtifact: Artifact; path: string }) =>
    outcome(async () => {
      const to = pathOf(outputArtifact);
      await parent(to);
      await copy(path, to);
    }),
  delete: ({ artifact }: { artifact: Artifact }) => outcome(() => Deno.remove(pathOf(artifact), { recursive: true })),
  async listObjects({ artifact }: { artifact: Artifact }) {
    const objects: string[] = [];
    const walk = async (path: string) => {
      for await (const { name, isDirectory } of Deno.readDir(path)) {
        if (isDirectory) await walk(`${path}/${name}`);
        else objects.push(`${path}/${name}`.slice(folder.length + 1));
      }
    };
    await walk(pathOf(artifact));
    return { objects };
  },
  async isDirectory({ artifact }: { artifact: Artifact }) {
    try {
      return { isDirectory: (await Deno.stat(pathOf(artifact))).isDirectory };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) throw new ConnectError("nothing there", Code.NotFound);
      throw error;
    }
  },
  async *openStream({ artifact }: { artifact: Artifact }): AsyncGenerator<object> {
    const file = await Deno.open(pathOf(artifact)).catch(() => undefined);
    if (!file) {
      yield { error: "not found: no such file" };
      return;
    }
    let sent = 0;
    for await (const data of file.readable) {
      sent += data.length;
      await Deno.writeTextFile(`${folder}/sent`, String(sent));
      yield { data };
    }
    yield { isEnd: true };
  },
  ...kind === "old" ? {} : {
    getCapabilities: () => ({ supportsSaveStream: true }),
    async saveStream(frames: AsyncIterable<{ outputArtifact?: Artifact; chunk: Uint8Array }>) {
      let file: Deno.FsFile | undefined;
      for await (const { outputArtifact, chunk } of frames) {
        if (outputArtifact) {
          await parent(pathOf(outputArtifact));
          file = await Deno.create(pathOf(outputArtifact));
        }
        if (chunk.length > 4 * 1024 * 1024) return { success: false, error: "the frame is too large" };
        for (let offset = 0; offset < chunk.length;) offset += await file!.write(chunk.subarray(offset));
      }
      file?.close();
      return { success: true };
    },
  },
};

const routes = (router: ConnectRouter) => void router.service(service, implementation as never);
createServer(connectNodeAdapter({ routes })).on("session", deferSessionEnd).listen({ path: socket });
