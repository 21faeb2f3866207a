/**
 * The protobuf messages of Argo's API, defined by the `.proto` files in `schema/`, and the conversion between their
 * bytes and the JSON of REST clients. Argo's clients have the same messages: field numbers and types are a contract.
 */
import { ARGO, SERVICES } from "./gen/argo.ts";
import { KUBERNETES } from "./gen/kubernetes.ts";
import { REFLECTION } from "./gen/reflection.ts";
import { messageTypes, methodsOf } from "./message_type.ts";

export { describeFiles as describe, type DescriptorFile } from "./describe.ts";
export { KUBERNETES } from "./gen/kubernetes.ts";
export { goJsonStages, toGoJson } from "./go_json.ts";
export { type Field, type MessageType, messageTypes, type Method } from "./message_type.ts";
export { MessageError, READ_LIMITS, readMessage } from "./read_message.ts";
export { writeMessage } from "./write_message.ts";

/** All messages by name with the package: `argo.Workflow`. */
export const MESSAGES = messageTypes(KUBERNETES, ARGO);

/** All methods of the services. */
export const METHODS = methodsOf(SERVICES, MESSAGES);

/** The messages of descriptors by name: `google.protobuf.FileDescriptorProto`. */
export const DESCRIPTORS = messageTypes(REFLECTION);
