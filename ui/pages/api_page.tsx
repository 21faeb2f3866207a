/** The page that lists the API routes with their rights, parameters and responses, each as a link. */
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import json from "../../manifests/schema/api-routes.json" with { type: "json" };
import { useApp } from "../app.ts";
import { type ApiRoute, curlLine, grpcMethod, readRoutes, routesWith, servicesOf } from "../model/api_routes.ts";
import { valueOf, withValues } from "../model/place.ts";
import { download } from "./run/download.ts";
import * as words from "../model/text/en/api_page.ts";

const ROUTES = readRoutes(json);

/** A route with the full name of its gRPC method. */
const told = (route: ApiRoute) => ({ ...route, grpc: grpcMethod(route) });

export function ApiPage() {
  const app = useApp();
  const { page, query } = app.place.value;
  const wanted = valueOf(query, "find") ?? "";
  const chosen = valueOf(query, "route");
  const found = routesWith(ROUTES, wanted);
  const hrefOf = (id: string) =>
    app.hrefOf({ page, query: withValues(query, { route: id === chosen ? undefined : id }) });
  return (
    <article class="api">
      <header class="page-head">
        <h1>{words.heading}</h1>
        <span class="muted">
          {found.length === ROUTES.length ? ROUTES.length : words.foundOf(found.length, ROUTES.length)}
        </span>
        <button
          type="button"
          class="button end"
          onClick={() =>
            download("api-routes.json", "application/json", [JSON.stringify(ROUTES.map(told), null, 2), "\n"])}
        >
          {words.allAsJsonButton}
        </button>
      </header>
      <p class="muted">
        {words.aboutApi(<code>Authorization</code>)}
      </p>
      {app.info.value.extensions?.length === 0 && <p class="note">{words.otherServer}</p>}
      <p class="downloads">
        <a class="button" href="assets/openapi-spec/swagger.json" download="swagger.json">{words.swaggerLink}</a>
        <a class="button" href="assets/jsonschema/schema.json" download="schema.json">{words.schemaLink}</a>
      </p>
      <input
        type="search"
        value={wanted}
        autocomplete="off"
        spellcheck={false}
        aria-label={words.findLabel}
        placeholder={words.findPlaceholder}
        onInput={({ currentTarget: { value } }) =>
          app.go({ page, query: withValues(query, { find: value || undefined }) }, { replace: true })}
      />
      {found.length === 0 && <p class="muted">{words.noneFound}</p>}
      {servicesOf(found).map(({ name, routes }) => (
        <section key={name} aria-label={name}>
          <h2>{name}</h2>
          <ul>
            {routes.map((route) => (
              <RouteRow key={route.id} route={route} href={hrefOf(route.id)} isOpen={route.id === chosen} />
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

function RouteRow({ route, href, isOpen }: { route: ApiRoute; href: string; isOpen: boolean }) {
  const row = useRef<HTMLLIElement>(null);
  // Scrolls to the route in the address.
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <li ref={row}>
      <a href={href} aria-expanded={isOpen}>
        <b>{route.method}</b>{" "}
        <code>
          {route.path.split(/(?=\/)/).map((segment) => (
            <Fragment key={segment}>
              {segment}
              <wbr />
            </Fragment>
          ))}
        </code>
      </a>
      {isOpen && <Facts route={route} />}
    </li>
  );
}

function Facts({ route }: { route: ApiRoute }) {
  return (
    <>
      <dl class="facts">
        <dt>{words.operationField}</dt>
        <dd>{route.id}</dd>
        <dt>{words.rightsField}</dt>
        <dd>{route.rights.join(", ") || words.noRightBeforehand}</dd>
        {route.query && (
          <>
            <dt>{words.queryField}</dt>
            <dd>
              <Fields fields={route.query} />
            </dd>
          </>
        )}
        {route.body && (
          <>
            <dt>{words.bodyField}</dt>
            <dd>
              {route.body.kind}
              <Fields fields={route.body.fields} />
            </dd>
          </>
        )}
        <dt>{words.answerField}</dt>
        <dd>{route.isStream ? words.streamOf(route.answer) : route.answer}</dd>
        {route.grpc && (
          <>
            <dt>{words.grpcField}</dt>
            <dd>{grpcMethod(route)}</dd>
          </>
        )}
      </dl>
      <pre class="words">{curlLine(route)}</pre>
    </>
  );
}

function Fields({ fields }: { fields: readonly string[] }) {
  return fields.length === 0 ? null : <ul>{fields.map((field) => <li key={field}>{field}</li>)}</ul>;
}
