/** The page of the server's routes, from the table that serves them. */
import { apiRoutes } from "../gen_api_routes.ts";
import { servicesOf } from "../../ui/model/api_routes.ts";
import { generatedFrom, table } from "./markdown.ts";

/** The text of `docs/reference/routes.md`. */
export function routesPage(): string {
  const services = servicesOf(apiRoutes()).map(({ name, routes }) => {
    const rows = routes.map(({ method, path, rights, query = [], body, answer, isStream }) => [
      `\`${method} ${path}\``,
      query.map((parameter) => `\`${parameter.split(":")[0]}\``).join(", "),
      body ? body.fields.map((field) => `\`${field.split(":")[0]}\``).join(", ") || body.kind : "",
      `\`${answer}\`${isStream ? " stream" : ""}`,
      rights.map((right) => `\`${right}\``).join(", "),
    ]);
    return `## ${name}\n\n${table(["Route", "Query", "Body", "Answer", "Rights"], rows)}`;
  });
  return `${generatedFrom("server/table.ts")}

# HTTP routes

Paths and messages are those of Argo's server; gRPC has the same methods. [REST with curl](../how-to/rest.md) shows how to
call them, [the server](../server.md) how they behave. _Rights_ are the Kubernetes rights that the caller needs.

${services.join("\n\n")}
`;
}
