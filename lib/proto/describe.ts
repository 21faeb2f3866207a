/** Converts the messages and services to protobuf descriptors, one file per package. */
import type { Field, FieldType, MessageType, Method, Scalar } from "./message_type.ts";

/** A descriptor file. */
export interface DescriptorFile {
  readonly name: string;
  /** The names of the files that it imports. */
  readonly dependency: readonly string[];
  /** A `FileDescriptorProto` as JSON. */
  readonly descriptor: Readonly<Record<string, unknown>>;
  /** The full names of the messages, services and methods in it. */
  readonly symbols: readonly string[];
}

const [OPTIONAL, REPEATED] = [1, 3];
const [MESSAGE, ENUM] = [11, 14];
const TYPES: Readonly<Record<Scalar, number>> = {
  double: 1,
  int64: 3,
  uint64: 4,
  int32: 5,
  fixed64: 6,
  bool: 8,
  string: 9,
  anyString: 9,
  number: 9,
  bytes: 12,
  hex: 12,
  json: 12,
  uint32: 13,
};

/** Returns the files by name. */
export function describeFiles(
  messages: Iterable<MessageType>,
  methods: Iterable<Method>,
): ReadonlyMap<string, DescriptorFile> {
  const packages = new Map<string, { readonly messages: MessageType[]; readonly services: Map<string, Method[]> }>();
  const partOf = (owner: string) => {
    const known = packages.get(owner) ?? { messages: [], services: new Map<string, Method[]>() };
    packages.set(owner, known);
    return known;
  };
  for (const message of messages) partOf(ownerOf(message.name)).messages.push(message);
  for (const method of methods) {
    const service = method.path.split("/")[1] ?? "";
    const { services } = partOf(ownerOf(service));
    services.set(service, [...services.get(service) ?? [], method]);
  }
  const files = [...packages].map(([owner, part]) => fileOf(owner, part.messages, part.services));
  return new Map(files.map((file) => [file.name, file]));
}

function fileOf(
  owner: string,
  messages: readonly MessageType[],
  services: ReadonlyMap<string, readonly Method[]>,
): DescriptorFile {
  const used = [
    ...messages.flatMap(({ fields }) => fields.flatMap(({ type }) => type.kind === "message" ? type.message.name : [])),
    ...[...services.values()].flat().flatMap(({ input, output }) => [input.name, output.name]),
  ];
  const dependency = [...new Set(used.map(ownerOf))].filter((candidate) => candidate !== owner).sort().map(fileNameOf);
  const name = fileNameOf(owner);
  return {
    name,
    dependency,
    descriptor: {
      name,
      package: owner,
      dependency,
      messageType: messages.map(messageOf),
      service: [...services].map(([service, methods]) => ({ name: shortName(service), method: methods.map(methodOf) })),
      syntax: "proto2",
    },
    symbols: [
      ...messages.map((message) => message.name),
      ...[...services].flatMap(([service, methods]) => [service, ...methods.map((method) => dottedName(method.path))]),
    ],
  };
}

function messageOf({ name, fields }: MessageType): object {
  const maps = fields.filter(({ shape }) => shape === "map");
  const enums = fields.filter(({ type }) => type.kind === "enum");
  return {
    name: shortName(name),
    field: fields.map((field) => fieldOf(name, field)),
    nestedType: maps.map(({ name: field, type }) => ({
      name: nestedName(field, "Entry"),
      field: [
        { name: "key", number: 1, label: OPTIONAL, type: TYPES.string, jsonName: "key" },
        { name: "value", number: 2, label: OPTIONAL, ...typeOf(name, field, type), jsonName: "value" },
      ],
      options: { mapEntry: true },
    })),
    enumType: enums.map(({ name: field, type }) => ({
      name: nestedName(field, "Enum"),
      value: (type.kind === "enum" ? type.names : []).map((value, number) => ({ name: value, number })),
    })),
  };
}

function fieldOf(message: string, { name, number, shape, type, isPacked }: Field): object {
  const told = shape === "map"
    ? { type: MESSAGE, typeName: `.${message}.${nestedName(name, "Entry")}` }
    : typeOf(message, name, type);
  const label = shape === "one" ? OPTIONAL : REPEATED;
  return { name, number, label, ...told, jsonName: name, ...(isPacked && { options: { packed: true } }) };
}

function typeOf(message: string, field: string, type: FieldType): object {
  if (type.kind === "scalar") return { type: TYPES[type.scalar] };
  if (type.kind === "enum") return { type: ENUM, typeName: `.${message}.${nestedName(field, "Enum")}` };
  return { type: MESSAGE, typeName: `.${type.message.name}` };
}

function methodOf({ path, input, output, isStream }: Method): object {
  return {
    name: path.slice(path.lastIndexOf("/") + 1),
    inputType: `.${input.name}`,
    outputType: `.${output.name}`,
    serverStreaming: isStream,
  };
}

/** Returns `LabelsEntry` for the field `labels`: clients recognize maps by this name. */
function nestedName(field: string, end: string): string {
  return `${field.slice(0, 1).toUpperCase()}${field.slice(1)}${end}`;
}

function dottedName(path: string): string {
  return path.slice(1).replace("/", ".");
}

function ownerOf(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function fileNameOf(owner: string): string {
  return `${owner.replaceAll(".", "/")}.proto`;
}
