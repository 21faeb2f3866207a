/**
 * Message types and methods, from the tables that `scripts/gen_proto.ts` generates from `.proto` files. The options of
 * `schema/json.proto` define how the JSON of a message differs from the usual JSON of protobuf.
 */

/** The scalar types of fields: those of protobuf, and one per format in `schema/json.proto`. */
export type Scalar =
  | "string"
  | "anyString"
  | "bool"
  | "int32"
  | "int64"
  | "uint32"
  | "uint64"
  | "fixed64"
  | "double"
  | "bytes"
  | "hex"
  | "json"
  | "number";

/** The type of a field: a scalar, the names of an enumeration, or a message. */
export type FieldType =
  | { readonly kind: "scalar"; readonly scalar: Scalar }
  | { readonly kind: "enum"; readonly names: readonly string[] }
  | { readonly kind: "message"; readonly message: MessageType };

export interface Field {
  readonly number: number;
  /** The name in JSON. */
  readonly name: string;
  readonly type: FieldType;
  readonly shape: "one" | "list" | "map";
  /** Whether zero differs from absence. */
  readonly hasPresence: boolean;
  /** Whether Go's JSON has the field even if it is not set. */
  readonly isAlwaysWritten: boolean;
  readonly isInline: boolean;
  /** Whether the items of a list share one tag. */
  readonly isPacked: boolean;
}

export interface MessageType {
  /** With the package: `argo.Workflow`. */
  readonly name: string;
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
  /** The only field, if the message's JSON is the value of that field; otherwise undefined. */
  readonly wrappedField: Field | undefined;
}

export interface Method {
  /** `/workflow.WorkflowService/GetWorkflow`. */
  readonly path: string;
  /** The operation ID in Argo's API description: `WorkflowService_GetWorkflow`. */
  readonly id: string;
  readonly input: MessageType;
  readonly output: MessageType;
  /** Whether it returns a stream of messages. */
  readonly isStream: boolean;
}

/**
 * The numbers of scalar types in tables: those of `FieldDescriptorProto.Type`, and above 100 the formats of
 * `json.proto`.
 */
export const SCALARS: Readonly<Record<number, Scalar>> = {
  1: "double",
  3: "int64",
  4: "uint64",
  5: "int32",
  6: "fixed64",
  8: "bool",
  9: "string",
  12: "bytes",
  13: "uint32",
  101: "anyString",
  102: "number",
  103: "json",
  104: "hex",
};

/** The flags of a field in a table, which are added. */
export const FLAGS = { list: 1, map: 2, presence: 4, always: 8, inline: 16, alone: 32, packed: 64 } as const;

/**
 * A field in a table: its number, its type and its flags. The type is a scalar, the name of a message, with the package
 * if it is another one, or the names of an enumeration.
 */
export type FieldRow = readonly [number: number, type: number | string | readonly string[], flags?: number];

/** Fields by JSON name, by message, by package. */
export type MessageTable = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, FieldRow>>>>>>;

/** The request and response of a method, named as in {@link FieldRow}, and whether it returns a stream. */
type MethodRow = readonly [input: string, output: string, isStream?: boolean];

/** Methods by name, by service, by package. */
export type ServiceTable = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, MethodRow>>>>>>;

interface MessageBuilder extends MessageType {
  readonly fields: Field[];
  readonly byNumber: Map<number, Field>;
  wrappedField: Field | undefined;
}

/**
 * Returns the messages of tables by name.
 * @throws {Error} for a message in two tables or in none.
 */
export function messageTypes(...tables: readonly MessageTable[]): ReadonlyMap<string, MessageType> {
  const messages = new Map<string, MessageBuilder>();
  const rows = tables.flatMap((table) => Object.entries(table)).flatMap(([owner, part]) =>
    Object.entries(part).map(([name, fields]) => ({ owner, name: `${owner}.${name}`, fields }))
  );
  for (const { name } of rows) {
    if (messages.has(name)) throw new Error(`The message ${name} is defined twice`);
    messages.set(name, { name, fields: [], byNumber: new Map(), wrappedField: undefined });
  }
  for (const { owner, name: message, fields } of rows) {
    const builder = messages.get(message)!;
    for (const [name, [number, type, flags = 0]] of Object.entries(fields)) {
      const field: Field = {
        number,
        name,
        type: typeOf(type, owner, messages),
        shape: flags & FLAGS.list ? "list" : flags & FLAGS.map ? "map" : "one",
        hasPresence: (flags & FLAGS.presence) !== 0,
        isAlwaysWritten: (flags & FLAGS.always) !== 0,
        isInline: (flags & FLAGS.inline) !== 0,
        isPacked: (flags & FLAGS.packed) !== 0,
      };
      builder.fields.push(field);
      builder.byNumber.set(number, field);
      if (flags & FLAGS.alone) builder.wrappedField = field;
    }
  }
  return messages;
}

function typeOf(type: FieldRow[1], owner: string, messages: ReadonlyMap<string, MessageType>): FieldType {
  if (typeof type === "number") return { kind: "scalar", scalar: SCALARS[type]! };
  return typeof type === "string"
    ? { kind: "message", message: findMessage(type, owner, messages) }
    : { kind: "enum", names: type };
}

function findMessage(name: string, owner: string, messages: ReadonlyMap<string, MessageType>): MessageType {
  const message = messages.get(name.includes(".") ? name : `${owner}.${name}`);
  if (!message) throw new Error(`Unknown message type ${name} in the package ${owner}`);
  return message;
}

/**
 * Returns the methods of the services in a table.
 * @throws {Error} for a method whose messages are unknown.
 */
export function methodsOf(table: ServiceTable, messages: ReadonlyMap<string, MessageType>): readonly Method[] {
  const methods: Method[] = [];
  for (const [owner, services] of Object.entries(table)) {
    for (const [service, rows] of Object.entries(services)) {
      for (const [name, [input, output, isStream = false]] of Object.entries(rows)) {
        methods.push({
          path: `/${owner}.${service}/${name}`,
          id: `${service}_${name}`,
          input: findMessage(input, owner, messages),
          output: findMessage(output, owner, messages),
          isStream,
        });
      }
    }
  }
  return methods;
}
