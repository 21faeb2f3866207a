import { assertEquals } from "@std/assert";
import { argoSource } from "../../../ui/api/argo_source.ts";

Deno.test("source: adds the kind that a server omits, so that the manifest can be checked and drawn", async () => {
  const source = argoSource({
    base: "http://server/",
    authorization: () => undefined,
    fetch: () => Promise.resolve(Response.json({ metadata: { name: "nightly" }, spec: { schedules: ["@daily"] } })),
  });
  const { apiVersion, kind, metadata } = await source.getTemplate("CronWorkflow", "data", "nightly");
  assertEquals([apiVersion, kind, metadata.name], ["argoproj.io/v1alpha1", "CronWorkflow", "nightly"]);
});
