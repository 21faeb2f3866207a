/**
 * `llms.txt`: the list of documentation pages for language models, in the form of llmstxt.org, from the start page of
 * the docs.
 */
import { sitePath } from "./docs_site/site_pages.ts";

const HEAD = `# Tiphys

> A workflow engine that runs Argo Workflows manifests (\`argoproj.io/v1alpha1\`) unchanged, on one machine without a cluster and
> on Kubernetes. Written in TypeScript for Deno.

Try a workflow with \`tiphys run FILE\`, check it with \`tiphys lint FILE\`, and use \`tiphys why NAME\` to find out why it
waits or failed. Manifests are those of Argo Workflows: fields are listed in the reference below.
`;

/** The text of `llms.txt`: the sections of the start page, with one line for each link. */
export function llmsText(start: string): string {
  const sections = start.split(/^## /m).slice(1).map((section) => {
    const [title = "", ...lines] = section.split("\n");
    const links = [...lines.join("\n").matchAll(/\[([^\]]+)\]\(([^()\s#]+)\)(?::\s+([^[]*?)(?=\n\n|\n- |$))?/g)];
    const items = links.map(([, words = "", link = "", about]) => {
      const path = new URL(link, "file:///docs/README.md").pathname.slice(1);
      const page = (sitePath(path) ?? path).replace(/\.md$/, ".html");
      return `- [${sentence(words)}](${page})${about === undefined ? "" : `: ${oneLine(about)}`}`;
    });
    return `## ${title}\n\n${items.join("\n")}\n`;
  });
  return [HEAD, ...sections].join("\n");
}

function sentence(text: string): string {
  const line = oneLine(text);
  return line.charAt(0).toUpperCase() + line.slice(1);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
