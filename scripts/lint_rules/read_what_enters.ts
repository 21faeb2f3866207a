/** The lint rule for responses of a Kubernetes client. */

/**
 * `tiphys/read-what-enters`: the response of a Kubernetes client has an unknown shape; a reader (`lib/model/api`,
 * `dataOf` in `lib/kube`) validates it as an object of a kind, or reports the invalid field. So a request has no type
 * argument. The client itself, whose informers receive readers, and tests are exempt.
 */
export const readWhatEnters: Deno.lint.Rule = {
  create(context) {
    if (/_(test|bench)\.ts$|(?:^|\/)(?:tests|testing|scripts)\/|(?:^|\/)lib\/kube\//.test(context.filename)) return {};
    return {
      CallExpression(node) {
        const { callee, typeArguments } = node;
        if (!typeArguments || callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
        if (!CLIENT_METHODS.has(callee.property.name) || !isClient(callee.object)) return;
        if (typeArguments.params.every((type) => UNREAD.has(context.sourceCode.getText(type)))) return;
        context.report({
          node: typeArguments,
          message: "The response of a Kubernetes client must be validated before it has a type",
          hint:
            "Request without a type argument, and pass the response to a reader: `readPod`, `storedWorkflow`, `dataOf`, `parseKind`",
        });
      },
    };
  },
};

const CLIENT_METHODS = new Set(["get", "list", "watch", "create", "replace", "patch", "request"]);
const UNREAD = new Set(["KubeObject", "object", "unknown"]);

/**
 * Whether an expression has the name of a client: `client`, `this.#client`, `caller.client`, `client.inBackground()`.
 */
function isClient(node: Deno.lint.Node): boolean {
  switch (node.type) {
    case "Identifier":
    case "PrivateIdentifier":
      return /client$/i.test(node.name);
    case "MemberExpression":
      return isClient(node.property);
    case "CallExpression":
      return node.callee.type === "MemberExpression" && isClient(node.callee.object);
    default:
      return false;
  }
}
