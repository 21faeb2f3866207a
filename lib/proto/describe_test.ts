import { assertEquals } from "@std/assert";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { create } from "@bufbuild/protobuf";
import { describe, DESCRIPTORS, MESSAGES, METHODS, writeMessage } from "./mod.ts";

const FILES = describe(MESSAGES.values(), METHODS);

/** Decodes the files with another library, imported files first. */
function read(): FileDescriptorProto[] {
  const message = DESCRIPTORS.get("google.protobuf.FileDescriptorProto")!;
  const done = new Map<string, FileDescriptorProto>();
  const add = (name: string) => {
    const file = FILES.get(name);
    if (!file || done.has(name)) return;
    file.dependency.forEach(add);
    done.set(name, fromBinary(FileDescriptorProtoSchema, writeMessage(message, file.descriptor)));
  };
  for (const name of FILES.keys()) add(name);
  return [...done.values()];
}

Deno.test("describeFiles: another library accepts the descriptors of all messages and services", () => {
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: read() }));
  for (const { name, fields } of MESSAGES.values()) {
    const found = registry.getMessage(name);
    assertEquals(
      found?.fields.map(({ number, jsonName }) => [number, jsonName]),
      fields.map((field) => [field.number, field.name]),
    );
    for (const [index, field] of fields.entries()) {
      const kind = field.shape === "one" ? field.type.kind : field.shape;
      assertEquals(found?.fields[index]?.fieldKind, kind, `${name}.${field.name}`);
    }
  }
  for (const { path, input, output, isStream } of METHODS) {
    const [, service = "", method] = path.split("/");
    const found = registry.getService(service)?.methods.find(({ name }) => name === method);
    assertEquals([found?.input.typeName, found?.output.typeName], [input.name, output.name], path);
    assertEquals(found?.methodKind, isStream ? "server_streaming" : "unary", path);
  }
});
