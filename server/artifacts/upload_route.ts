/**
 * The upload route: stores a file as an input artifact for a template. The file is streamed to the store, under a key
 * that only its uploader may use.
 */
import { StoreError } from "@tiphys/model/artifact";
import { WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { openPlace } from "@tiphys/service/artifacts";
import { ClusterService } from "@tiphys/service";
import { right } from "../gate/rights.ts";
import { type Call, route } from "../routes/route.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { isOfInstance } from "@tiphys/service/instance";
import { withFileOf } from "../uploads/form_file.ts";
import { fileNameOf } from "../uploads/upload_key.ts";
import { argumentOf, placeArgument } from "../uploads/upload_place.ts";

/** The default maximum size of an upload: 1 GiB. */
export const MAX_UPLOAD_BYTES = 1 << 30;
/** The name of the form field with the file. */
const FIELD = "file";

/** `POST /upload-artifacts/…`: permissions are checked before the file is read. */
export const uploadRoute = route({
  id: "ArtifactService_UploadInputArtifact",
  method: "POST",
  path: "/upload-artifacts/{namespace}/{name}/{artifactName}",
  takesContent: true,
  rights: ({ params: { namespace, name } }) => [
    right("get", WORKFLOW_TEMPLATES, namespace, name),
    right("create", WORKFLOWS, namespace),
  ],
  async answer(call) {
    const { caller, served, headers, content, params: { namespace = "", name = "", artifactName = "" } } = call;
    const template = await new ClusterService(caller.client, served.now).templates.get(namespace, name);
    const artifact = argumentOf(template, artifactName);
    if (!isOfInstance(template, served.instanceId) || !artifact) {
      throw new WireError(
        CODE.notFound,
        `Artifact '${artifactName}' not found in WorkflowTemplate ${namespace}/${name} arguments.artifacts`,
      );
    }
    const form = {
      contentType: headers.get("content-type") ?? "",
      contentLength: Number(headers.get("content-length") ?? 0),
      content: content ?? ReadableStream.from([]),
      maxBytes: served.maxUploadBytes ?? MAX_UPLOAD_BYTES,
    };
    const key = await withFileOf(form, FIELD, async (file) => {
      const key = served.uploadKeys.create({ namespace, file: fileNameOf(file.name), owner: caller.claims });
      const { place } = await placeArgument(call, { template, artifact, namespace, key });
      await storeUpload(call, { namespace, place, content: file.content });
      return key;
    });
    return { json: { name: artifactName, key } };
  },
});

interface UploadTarget {
  readonly namespace: string;
  readonly place: Parameters<typeof openPlace>[2];
  readonly content: ReadableStream<Uint8Array>;
}

async function storeUpload(
  { caller, served, signal }: Call,
  { namespace, place, content }: UploadTarget,
): Promise<void> {
  try {
    await using open = await openPlace(caller.client, namespace, place, { reach: served.reach });
    const { driver } = open;
    if (!("write" in driver) || !driver.can.save) {
      throw new WireError(CODE.invalidArgument, `stores of kind ${place.store} do not support uploads`);
    }
    try {
      await driver.write(place, content as ReadableStream<Uint8Array<ArrayBuffer>>, signal);
    } catch (error) {
      throw open.redactError(error);
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    served.log.warn("Failed to store an upload", { kind: error.kind, error: error.message });
    throw new WireError(CODE.internal, "failed to write the artifact to its store");
  }
}
