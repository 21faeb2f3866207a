/** Texts of the page that lists the routes of the server's API. */

export const heading = "API";
export const foundOf = (count: number, all: number) => `${count} of ${all}`;
export const allAsJsonButton = "All routes as JSON";
/** Describes authentication; `header` is the header that carries credentials. */
export const aboutApi = <Part>(header: Part) => [
  "Argo's API, over REST and gRPC on one port. Send a token in the header ",
  header,
  " or log in here. Rights are those of Kubernetes, checked before anything is read.",
];
/** Shown when the server offers Argo's API only. */
export const otherServer =
  "These are the routes of a Tiphys server. This server is Argo's, which lacks the routes that end in why, can, activity and pod-times.";
export const swaggerLink = "Swagger of the API";
export const schemaLink = "JSON schema of the kinds";
export const findLabel = "Find routes by method, part of a path, right or kind";
export const findPlaceholder = "Method, part of a path, right, kind";
export const noneFound = "No route matches all of these words. Remove one of them.";

export const operationField = "Operation";
export const rightsField = "Rights";
/** Shown instead of rights when a route checks none before it reads. */
export const noRightBeforehand = "none in advance";
export const queryField = "Query";
export const bodyField = "Body";
export const answerField = "Response";
export const streamOf = (kind: string) => `a stream of ${kind}`;
export const grpcField = "gRPC";
