/**
 * The protobuf messages of Argo's API, defined by the tables in `schema/`, and the conversion between their bytes and
 * the JSON of REST clients. Argo's clients have the same messages: field numbers and types are a contract.
 */
import { readMessages, readMethods } from "./read_schema.ts";
import { ARGO } from "./schema/argo.ts";
import { CORE } from "./schema/core.ts";
import { EVENTS } from "./schema/events.ts";
import { META } from "./schema/meta.ts";
import { REFLECTION } from "./schema/reflection.ts";
import { REQUESTS } from "./schema/requests.ts";
import { SERVICES } from "./schema/services.ts";

export { describe, type DescriptorFile } from "./describe.ts";
export { CORE } from "./schema/core.ts";
export { META } from "./schema/meta.ts";
export { asGoWrites } from "./go_json.ts";
export { MessageError, READ_LIMITS, readMessage } from "./read_message.ts";
export { type Field, type MessageType, type Method, readMessages } from "./read_schema.ts";
export { writeMessage } from "./write_message.ts";

/** All messages by name with the package: `argo.Workflow`. */
export const MESSAGES = readMessages([META, CORE, ARGO, EVENTS, REQUESTS]);

/** All methods of the services. */
export const METHODS = readMethods(SERVICES, MESSAGES);

/** The messages of descriptors by name: `google.protobuf.FileDescriptorProto`. */
export const DESCRIPTORS = readMessages([REFLECTION]);
