/**
 * Rules for the names of objects and of namespaces: Kubernetes' own, in its words. They hold where an object is made.
 */

import type { KubeObject } from "@tiphys/kube";
import { subdomainErrors } from "@tiphys/base/selector/label_rules";
import type { ServedResource } from "../served_resource.ts";
import type { Cause } from "../status_error.ts";

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const serviceLabel = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const configKey = /^[-._a-zA-Z0-9]+$/;

const LABEL_BYTES = 63;
const SUBDOMAIN_BYTES = 253;
/** A name ends with the number of each of its runs. */
const CRON_JOB_BYTES = 52;

const labelText = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
  "start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const serviceLabelText = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an " +
  "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for " +
  "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const configKeyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** A rule for names: it returns one sentence for each fault of a name. */
type NameRule = (name: string) => string[];

/** Names of containers, volumes, namespaces. */
export const labelRule = ruleOf(label, labelText, LABEL_BYTES);
/** Names of most objects. */
export const subdomainRule: NameRule = (name) => subdomainErrors(name, "bytes");
const serviceRule = ruleOf(serviceLabel, serviceLabelText, LABEL_BYTES);

/**
 * A rule by a pattern. Names that are too long are not matched, as a pattern may take the square of their length in
 * time.
 */
function ruleOf(pattern: RegExp, text: string, bytes: number): NameRule {
  return (name) => name.length > bytes ? [tooLong(bytes)] : pattern.test(name) ? [] : [text];
}

function tooLong(bytes: number): string {
  return `must be no more than ${bytes} bytes`;
}

/** The rule for a name that is one segment of a path of the API. */
export function pathSegmentRule(name: string): string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"].filter((character) => name.includes(character)).map((character) =>
    `may not contain '${character}'`
  );
}

/** The key of a ConfigMap or Secret, which is the name of a file where it is mounted. */
export function configKeyRule(key: string): string[] {
  const problems = ruleOf(configKey, configKeyText, SUBDOMAIN_BYTES)(key);
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

function ruleFor(resource: ServedResource): NameRule {
  if (!resource.builtIn) return subdomainRule;
  if (resource.group === "rbac.authorization.k8s.io") return pathSegmentRule;
  switch (resource.plural) {
    case "namespaces":
      return labelRule;
    case "events":
      // An event is called after an object and a moment, with a dot between them.
      return pathSegmentRule;
    case "services":
      return serviceRule;
    case "cronjobs":
      return (name) => [
        ...subdomainRule(name),
        ...(name.length > CRON_JOB_BYTES ? [`must be no more than ${CRON_JOB_BYTES} characters`] : []),
      ];
    default:
      return subdomainRule;
  }
}

/** The faults of a new object's name, and of the namespace that it is to be in. */
export function nameCauses(object: KubeObject, resource: ServedResource, namespace: string | undefined): Cause[] {
  const { name = "", generateName } = object.metadata;
  const rule = ruleFor(resource);
  return [
    // A generated name goes on with letters and digits.
    ...(generateName
      ? broken("metadata.generateName", generateName, rule(generateName.replace(/([^-])-$/, "$1a")))
      : []),
    ...(name === "" ? [nameless()] : broken("metadata.name", name, rule(name))),
    ...(namespace === undefined ? [] : broken("metadata.namespace", namespace, labelRule(namespace))),
    ...definitionCauses(object, resource),
  ];
}

/** A definition is called after the resource that it defines, so that this has a name as well. */
function definitionCauses({ metadata: { name }, spec }: KubeObject, resource: ServedResource): Cause[] {
  if (!resource.builtIn || resource.kind !== "CustomResourceDefinition") return [];
  const { group = "", names = {} } = (spec ?? {}) as { group?: unknown; names?: { plural?: unknown } };
  return name === `${names.plural ?? ""}.${group}`
    ? []
    : broken("metadata.name", name, ['must be spec.names.plural+"."+spec.group']);
}

function broken(field: string, value: unknown, problems: readonly string[]): Cause[] {
  return problems.map((problem) => ({
    reason: "FieldValueInvalid",
    field,
    message: `Invalid value: ${JSON.stringify(value)}: ${problem}`,
  }));
}

function nameless(): Cause {
  const message = "Required value: name or generateName is required";
  return { reason: "FieldValueRequired", field: "metadata.name", message };
}
