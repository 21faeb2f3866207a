/** The place that an argument of a template lies at, once its key is another: where its file is uploaded to, and read from. */
import type { Artifact, WorkflowTemplate } from "@tiphys/model/api";
import type { Place } from "@tiphys/model/artifact";
import { isFull, keyOnly, locationOfRepository, placeOf, withKey } from "@tiphys/model/artifact/location";
import { storedRepository } from "@tiphys/service/stored_repository";
import type { Call } from "../routes/route.ts";
import { CODE, WireError } from "../wire/errors.ts";

type Asking = Pick<Call, "caller" | "served">;
type Template = Pick<WorkflowTemplate, "metadata" | "spec">;

/** An argument with another key. */
export interface PlacedArgument {
  readonly place: Place;
  /** The argument as a workflow has it: of a repository, it names its key only. */
  readonly argument: Artifact;
}

/** The artifact among the arguments of a template; undefined where it has none of this name. */
export function argumentOf({ spec }: Template, name: string): Artifact | undefined {
  return spec.arguments?.artifacts?.find((one) => one.name === name);
}

/**
 * The argument with a key: at its own location, else in the repository that workflows of the template have in this namespace.
 * @throws {WireError} where it has neither.
 */
export async function placeArgument(
  asking: Asking,
  { template, artifact, namespace, key }: { template: Template; artifact: Artifact; namespace: string; key: string },
): Promise<PlacedArgument> {
  if (isFull(artifact)) {
    const argument = withKey(artifact, key);
    return { argument, place: placeOf(argument)! };
  }
  const location = await repositoryOf(asking, template, namespace);
  const place = location && placeOf(withKey(location, key));
  if (!place) {
    throw new WireError(
      CODE.invalidArgument,
      `Artifact '${artifact.name}' does not have a storage location configured: give it one in the template, ` +
        "or set up a default artifact repository",
    );
  }
  return { place, argument: { name: artifact.name, ...keyOnly(location, key) } };
}

/** The location of the repository, by the rules of the controller, as far as the caller may read what says it. */
async function repositoryOf({ caller, served }: Asking, { spec }: Template, namespace: string) {
  const named = spec.artifactRepositoryRef;
  for (const where of new Set(named ? [namespace, served.namespace ?? namespace] : [namespace])) {
    const repository = await storedRepository(caller.client, where, named);
    if (repository) return locationOfRepository(repository.artifactRepository);
  }
  return named ? undefined : locationOfRepository(served.artifactRepository?.());
}
