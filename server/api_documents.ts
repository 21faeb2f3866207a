/** The files that describe the API, at the paths of Argo's page. Each is created on first request. */
import { VERSION } from "@tiphys/base/version";

/** JSON texts by their paths below the base of the page. */
export const API_DOCUMENTS: ReadonlyMap<string, () => Promise<string>> = new Map([
  ["/assets/openapi-spec/swagger.json", async () => {
    const [{ swaggerOf }, { ROUTES }] = await Promise.all([import("./description/swagger.ts"), import("./table.ts")]);
    return JSON.stringify(swaggerOf(ROUTES, VERSION));
  }],
  ["/assets/jsonschema/schema.json", async () => {
    const { default: schema } = await import("../manifests/schema/workflows.json", { with: { type: "json" } });
    return JSON.stringify(schema);
  }],
]);
