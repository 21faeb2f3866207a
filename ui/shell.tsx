/** The frame around every page: the way to the others, and the page that the address names. */
import { useApp } from "./app.ts";
import type { Page } from "./model/place.ts";
import { RunPage } from "./pages/run/run_page.tsx";
import { RunsPage } from "./pages/runs_page.tsx";
import { YouPage } from "./pages/you_page.tsx";

/** The frame with the page. */
export function Shell() {
  const app = useApp();
  const { page } = app.place.value;
  return (
    <>
      <a class="skip" href="#main">To the content</a>
      <Nav page={page} />
      <main id="main" tabIndex={-1}>
        <PageOf page={page} />
      </main>
    </>
  );
}

function Nav({ page }: { page: Page }) {
  const app = useApp();
  const namespace = "namespace" in page ? page.namespace : "";
  const runs: Page = { kind: "runs", namespace };
  return (
    <nav class="nav" aria-label="Pages">
      <a class="brand" href={app.hrefOf({ page: { kind: "runs", namespace: "" }, query: [] })}>Tiphys</a>
      <ul>
        <li>
          <a
            href={app.hrefOf({ page: runs, query: [] })}
            aria-current={page.kind === "runs" || page.kind === "run" ? "page" : undefined}
          >
            Runs
          </a>
        </li>
        <li>
          <a
            href={app.hrefOf({ page: { kind: "you" }, query: [] })}
            aria-current={page.kind === "you" ? "page" : undefined}
          >
            You
          </a>
        </li>
      </ul>
    </nav>
  );
}

function PageOf({ page }: { page: Page }) {
  switch (page.kind) {
    case "runs":
      return <RunsPage namespace={page.namespace} />;
    case "run":
      return <RunPage namespace={page.namespace} name={page.name} />;
    case "you":
      return <YouPage />;
    default:
      return <NotFound />;
  }
}

function NotFound() {
  const app = useApp();
  return (
    <section class="card">
      <h1>There is no such page</h1>
      <p>
        The address may be mistyped, or of another version.{" "}
        <a href={app.hrefOf({ page: { kind: "runs", namespace: "" }, query: [] })}>All runs</a>
      </p>
    </section>
  );
}
