/** Words of the page that shows the routes of the server's API. */

export const heading = "API";
export const foundOf = (found: number, all: number) => `${found} of ${all}`;
export const allAsJsonButton = "All routes as JSON";
/** Who may ask for what, with the header in which credentials come. */
export const aboutApi = <Part>(header: Part) => [
  "Argo's API, over REST and gRPC on one port. Whoever asks has a token in the header ",
  header,
  " or is logged in here; rights are those of Kubernetes, asked for before anything is looked up.",
];
/** Before a server that has nothing beyond Argo's API. */
export const otherServer =
  "These are the routes of the server that this page comes with. Here it stands before one of Argo's, which lacks those that end in why, can and pod-times.";
export const swaggerLink = "Swagger of the API";
export const schemaLink = "JSON schema of the kinds";
export const findLabel = "Find routes: a method, a part of a path, a right, a kind";
export const findPlaceholder = "Method, part of a path, right, kind";
export const noneFound = "No route has all of these words.";

export const operationField = "Operation";
export const rightsField = "Rights";
/** In place of the rights of a route that asks for none before it looks. */
export const noRightBeforehand = "none beforehand";
export const queryField = "Query";
export const bodyField = "Body";
export const answerField = "Answer";
export const streamOf = (kind: string) => `a stream of ${kind}`;
export const grpcField = "gRPC";
