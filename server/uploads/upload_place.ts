/** The location of a template's artifact argument with a new key: its file is uploaded to it, and read from it. */
import type { Artifact, WorkflowTemplate } from "@tiphys/model/api";
import type { Place } from "@tiphys/model/artifact";
import { isFull, keyOnly, locationOfRepository, placeOf, withKey } from "@tiphys/model/artifact/location";
import { storedRepository } from "@tiphys/service/stored_repository";
import type { Call } from "../routes/route.ts";
import { CODE, WireError } from "../wire/errors.ts";

type CallerAndServer = Pick<Call, "caller" | "served">;
type Template = Pick<WorkflowTemplate, "metadata" | "spec">;

/** An argument with a new key. */
export interface PlacedArgument {
  readonly place: Place;
  /** The argument for a workflow. If it is in a repository, it contains only the key. */
  readonly argument: Artifact;
}

/** The artifact argument of this name; undefined if the template does not have it. */
export function argumentOf({ spec }: Template, name: string): Artifact | undefined {
  return spec.arguments?.artifacts?.find((artifact) => artifact.name === name);
}

/**
 * Returns the argument with a key: at its own location, or in the artifact repository of the template's workflows in
 * this namespace.
 * @throws {WireError} if it has neither.
 */
export async function placeArgument(
  call: CallerAndServer,
  { template, artifact, namespace, key }: { template: Template; artifact: Artifact; namespace: string; key: string },
): Promise<PlacedArgument> {
  if (isFull(artifact)) {
    const argument = withKey(artifact, key);
    return { argument, place: placeOf(argument)! };
  }
  const location = await repositoryOf(call, template, namespace);
  const place = location && placeOf(withKey(location, key));
  if (!place) {
    throw new WireError(
      CODE.invalidArgument,
      `Artifact '${artifact.name}' does not have a storage location configured: add one to the template, ` +
        "or set up a default artifact repository",
    );
  }
  return { place, argument: { name: artifact.name, ...keyOnly(location, key) } };
}

/** The location of the repository, by the rules of the controller, as far as the caller may read its configuration. */
async function repositoryOf({ caller, served }: CallerAndServer, { spec }: Template, namespace: string) {
  const named = spec.artifactRepositoryRef;
  for (const where of new Set(named ? [namespace, served.namespace ?? namespace] : [namespace])) {
    const repository = await storedRepository(caller.client, where, named);
    if (repository) return locationOfRepository(repository.artifactRepository);
  }
  return named ? undefined : locationOfRepository(served.artifactRepository?.());
}
