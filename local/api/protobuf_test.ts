import { assertEquals, assertThrows } from "@std/assert";
import { MessageError } from "@tiphys/proto";
import { decodeProtobuf } from "./protobuf.ts";

/** Bodies sent by kubectl 1.33. */
const sent = {
  "create configmap a --from-literal=x=1": [
    "azhzAAoPCgJ2MRIJQ29uZmlnTWFwEhwKEgoBYRIAGgFuIgAqADIAOABCABIGCgF4EgExGgAiAA==",
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n" }, data: { x: "1" } },
  ],
  "create secret generic s --from-literal=p=q": [
    "azhzAAoMCgJ2MRIGU2VjcmV0Eh4KEgoBcxIAGgFuIgAqADIAOABCABIGCgFwEgFxGgAaACIA",
    { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "n" }, data: { p: "cQ==" } },
  ],
  "create token default --duration 600s --bound-object-kind Pod --bound-object-name p --bound-object-uid u": [
    "azhzAAooChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESDFRva2VuUmVxdWVzdBIuChAKABIAGgAiACoAMgA4AEIAEhQaDwoDUG9kEgJ2MRoBcCIBdSDYBBoECgASABoAIgA=",
    {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p", uid: "u" }, expirationSeconds: 600 },
    },
  ],
} as const;

for (const [command, [body, object]] of Object.entries(sent)) {
  Deno.test(`decodeProtobuf: decodes the body of \`kubectl ${command}\``, () => {
    assertEquals<unknown>(decodeProtobuf(Uint8Array.fromBase64(body)), object);
  });
}

Deno.test("decodeProtobuf: returns undefined for unknown kinds and other bodies", () => {
  assertEquals(decodeProtobuf(new TextEncoder().encode("{}")), undefined);
  // An envelope (field 1: its type, 15 bytes) without content.
  const something = [..."k8s\0\n\x0d\x12\x0bDeployment_"].map((letter) => letter.charCodeAt(0));
  assertEquals(decodeProtobuf(Uint8Array.from(something)), undefined);
});

Deno.test("decodeProtobuf: refuses a truncated body", () => {
  const body = Uint8Array.fromBase64(sent["create configmap a --from-literal=x=1"][0]);
  for (const length of [6, 20, 30, 45]) {
    assertThrows(() => decodeProtobuf(body.subarray(0, length)), MessageError);
  }
});
