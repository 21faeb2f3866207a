/**
 * The few objects that kubectl sends as protobuf and nothing else: `kubectl create configmap|secret|namespace|...`,
 * `kubectl create token` and `kubectl auth can-i`. Everybody else sends JSON, and answers are always JSON.
 */

/** The type of a field; a name is that of another message of the table. */
type FieldType = "string" | "bytes" | "int" | "bool" | "time" | "stringMap" | "bytesMap" | MessageName;

/** Fields by their number: name, type, and whether there may be many. */
type Message = Readonly<Record<number, readonly [string, FieldType, "many"?]>>;

type MessageName = keyof typeof messages & string;

const rbacRules: readonly [string, "PolicyRule", "many"] = ["rules", "PolicyRule", "many"];
const metadata: readonly [string, "ObjectMeta"] = ["metadata", "ObjectMeta"];

const messages = {
  Unknown: { 1: ["typeMeta", "TypeMeta"], 2: ["raw", "bytes"] },
  TypeMeta: { 1: ["apiVersion", "string"], 2: ["kind", "string"] },
  ObjectMeta: {
    1: ["name", "string"],
    2: ["generateName", "string"],
    3: ["namespace", "string"],
    5: ["uid", "string"],
    6: ["resourceVersion", "string"],
    8: ["creationTimestamp", "time"],
    11: ["labels", "stringMap"],
    12: ["annotations", "stringMap"],
    13: ["ownerReferences", "OwnerReference", "many"],
    14: ["finalizers", "string", "many"],
  },
  OwnerReference: {
    1: ["kind", "string"],
    3: ["name", "string"],
    4: ["uid", "string"],
    5: ["apiVersion", "string"],
    6: ["controller", "bool"],
    7: ["blockOwnerDeletion", "bool"],
  },
  DeleteOptions: {
    1: ["gracePeriodSeconds", "int"],
    2: ["preconditions", "Preconditions"],
    3: ["orphanDependents", "bool"],
    4: ["propagationPolicy", "string"],
    5: ["dryRun", "string", "many"],
  },
  Preconditions: { 1: ["uid", "string"], 2: ["resourceVersion", "string"] },
  ConfigMap: {
    1: metadata,
    2: ["data", "stringMap"],
    3: ["binaryData", "bytesMap"],
    4: ["immutable", "bool"],
  },
  Secret: {
    1: metadata,
    2: ["data", "bytesMap"],
    3: ["type", "string"],
    4: ["stringData", "stringMap"],
    5: ["immutable", "bool"],
  },
  Namespace: { 1: metadata },
  ServiceAccount: {
    1: metadata,
    2: ["secrets", "ObjectReference", "many"],
    3: ["imagePullSecrets", "LocalObjectReference", "many"],
    4: ["automountServiceAccountToken", "bool"],
  },
  ObjectReference: { 1: ["kind", "string"], 2: ["namespace", "string"], 3: ["name", "string"] },
  LocalObjectReference: { 1: ["name", "string"] },
  Role: { 1: metadata, 2: rbacRules },
  ClusterRole: { 1: metadata, 2: rbacRules },
  PolicyRule: {
    1: ["verbs", "string", "many"],
    2: ["apiGroups", "string", "many"],
    3: ["resources", "string", "many"],
    4: ["resourceNames", "string", "many"],
    5: ["nonResourceURLs", "string", "many"],
  },
  RoleBinding: { 1: metadata, 2: ["subjects", "Subject", "many"], 3: ["roleRef", "RoleRef"] },
  ClusterRoleBinding: { 1: metadata, 2: ["subjects", "Subject", "many"], 3: ["roleRef", "RoleRef"] },
  Subject: { 1: ["kind", "string"], 2: ["apiGroup", "string"], 3: ["name", "string"], 4: ["namespace", "string"] },
  RoleRef: { 1: ["apiGroup", "string"], 2: ["kind", "string"], 3: ["name", "string"] },
  SelfSubjectAccessReview: { 1: metadata, 2: ["spec", "SelfSubjectAccessReviewSpec"] },
  SelfSubjectAccessReviewSpec: {
    1: ["resourceAttributes", "ResourceAttributes"],
    2: ["nonResourceAttributes", "NonResourceAttributes"],
  },
  SelfSubjectReview: { 1: metadata },
  SelfSubjectRulesReview: { 1: metadata, 2: ["spec", "SelfSubjectRulesReviewSpec"] },
  SelfSubjectRulesReviewSpec: { 1: ["namespace", "string"] },
  ResourceAttributes: {
    1: ["namespace", "string"],
    2: ["verb", "string"],
    3: ["group", "string"],
    4: ["version", "string"],
    5: ["resource", "string"],
    6: ["subresource", "string"],
    7: ["name", "string"],
  },
  NonResourceAttributes: { 1: ["path", "string"], 2: ["verb", "string"] },
  TokenRequest: { 1: metadata, 2: ["spec", "TokenRequestSpec"] },
  TokenRequestSpec: {
    1: ["audiences", "string", "many"],
    3: ["boundObjectRef", "BoundObjectReference"],
    4: ["expirationSeconds", "int"],
  },
  BoundObjectReference: {
    1: ["kind", "string"],
    2: ["apiVersion", "string"],
    3: ["name", "string"],
    4: ["uid", "string"],
  },
  Time: { 1: ["seconds", "int"] },
} as const satisfies Record<string, Record<number, readonly [string, string, "many"?]>>;

const MAGIC = [0x6b, 0x38, 0x73, 0x00]; // "k8s" and a zero byte
type Fields = Record<string, unknown>;

/** The object that a protobuf body holds, as JSON has it; undefined for a kind that is not in the table. */
export function decodeProtobuf(body: Uint8Array): Fields | undefined {
  if (!MAGIC.every((byte, index) => body[index] === byte)) return undefined;
  const { typeMeta, raw } = readMessage("Unknown", body.subarray(MAGIC.length)) as {
    typeMeta?: { apiVersion?: string; kind?: string };
    raw?: string;
  };
  const { kind = "" } = typeMeta ?? {};
  if (!Object.hasOwn(messages, kind)) return undefined;
  return { ...typeMeta, ...readMessage(kind as MessageName, Uint8Array.fromBase64(raw ?? "")) };
}

function readMessage(name: MessageName, bytes: Uint8Array): Fields {
  const known: Message = messages[name];
  const fields: Fields = {};
  for (const { number, value } of wireFields(bytes)) {
    const [field, type, many] = known[number] ?? [];
    if (field === undefined || type === undefined) continue;
    const decoded = decodeValue(type, value);
    if (many) fields[field] = [...(fields[field] as unknown[] | undefined) ?? [], decoded];
    else if (type === "stringMap" || type === "bytesMap") {
      fields[field] = { ...fields[field] as Fields, ...decoded as Fields };
    } else if (decoded !== "" && decoded !== undefined) fields[field] = decoded; // "" is how Go spells absent
  }
  return fields;
}

function decodeValue(type: FieldType, value: number | Uint8Array): unknown {
  if (type === "int") return value;
  if (type === "bool") return value !== 0;
  const bytes = value as Uint8Array;
  switch (type) {
    case "string":
      return new TextDecoder().decode(bytes);
    case "bytes":
      return bytes.toBase64();
    case "time": {
      const { seconds } = readMessage("Time", bytes) as { seconds?: number };
      return seconds ? new Date(seconds * 1000).toISOString().replace(".000Z", "Z") : undefined;
    }
    case "stringMap":
    case "bytesMap": {
      const entry = new Map([...wireFields(bytes)].map(({ number, value }) => [number, value as Uint8Array]));
      const content = entry.get(2) ?? new Uint8Array();
      const key = new TextDecoder().decode(entry.get(1));
      return { [key]: type === "stringMap" ? new TextDecoder().decode(content) : content.toBase64() };
    }
    default:
      return readMessage(type, bytes);
  }
}

/**
 * The fields of a message as they are on the wire.
 * @throws {RangeError} when it ends in the middle of one.
 */
function* wireFields(bytes: Uint8Array): Generator<{ number: number; value: number | Uint8Array }> {
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 63n) throw new RangeError("The protobuf body is cut short");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        yield { number, value: varint() };
        break;
      case 2: {
        const length = varint();
        if (length < 0 || at + length > bytes.length) throw new RangeError("The protobuf body is cut short");
        yield { number, value: bytes.subarray(at, at + length) };
        at += length;
        break;
      }
      default:
        throw new RangeError(`The protobuf body has a field of wire type ${tag & 7}, which no message here has`);
    }
  }
}
