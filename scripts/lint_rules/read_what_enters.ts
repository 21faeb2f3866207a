/** The lint rule on what a Kubernetes client answers. */

/**
 * `tiphys/read-what-enters`: what a Kubernetes client answers is an object of unknown shape; a reader makes it one of a kind
 * (`lib/model/api`, `dataOf` in `lib/kube`), and says what is wrong with one that is none. So no type is claimed where it is asked
 * for. The client itself, whose informers are handed readers, and tests may.
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
          message: "What a Kubernetes client answers is read before it is of a kind",
          hint:
            "Ask without a type, and hand the answer to a reader: `readPod`, `storedWorkflow`, `dataOf`, `parseKind`",
        });
      },
    };
  },
};

const CLIENT_METHODS = new Set(["get", "list", "watch", "create", "replace", "patch", "request"]);
const UNREAD = new Set(["KubeObject", "object", "unknown"]);

/** Whether an expression is named as a client is: `client`, `this.#client`, `caller.client`, `client.inBackground()`. */
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
