/** Tests of the harness of DOM tests: a state fails where it should. */
import { Screen, states } from "./states.tsx";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { refusal } from "./server.ts";

function Greeting({ name }: { name: string }) {
  const [clicks, setClicks] = useState(0);
  return <button type="button" onClick={() => setClicks(clicks + 1)}>{`${name} ${clicks}`}</button>;
}

states(Greeting, {
  "a click is drawn": {
    view: <Greeting name="hello" />,
    async check(page) {
      await page.click(page.one("button", "hello 0"));
      await page.find("button", "hello 1");
    },
  },
});

Deno.test("Screen: an element that axe rejects fails the state", async () => {
  await using shown = new Screen({ view: <button type="button" /> });
  await assertRejects(() => shown.accessible(), Error, "button-name");
});

Deno.test("Screen: an exception in a listener fails the state", async () => {
  const shown = new Screen({
    view: (
      <button
        type="button"
        onClick={() => {
          throw new Error("broken button");
        }}
      >
        break
      </button>
    ),
  });
  await shown.click(shown.one("button"));
  await assertRejects(() => shown[Symbol.asyncDispose](), Error, "broken button");
});

Deno.test("Screen: a request without an answer fails the state", async () => {
  const shown = new Screen({ view: <Asking path="missing" /> });
  await assertRejects(() => shown.settled(), Error, "GET v1/workflows/argo/missing");
  await assertRejects(() => shown[Symbol.asyncDispose](), Error, "GET v1/workflows/argo/missing");
});

Deno.test("Screen: keys, links and the address work as in a browser", async () => {
  await using shown = new Screen({ view: <a href="http://page.test/workflows/argo">runs</a>, at: "help" });
  assertEquals(shown.address, "help");
  await shown.click(shown.one("link", "runs"));
  assertEquals(shown.address, "workflows/argo");
});

Deno.test("Screen: refusals of the server are those of the page", async () => {
  await using shown = new Screen({
    view: <Asking path="secret" />,
    answers: { "GET v1/workflows/argo/secret": refusal(403) },
  });
  await shown.until(() => shown.text === "forbidden");
  assert(shown.requests.length > 0);
});

function Asking({ path }: { path: string }) {
  const { source } = useApp();
  const [kind, setKind] = useState("");
  useEffect(() => {
    source.getRun("argo", path).catch((error) => setKind(error.kind));
  }, []);
  return <p>{kind}</p>;
}
