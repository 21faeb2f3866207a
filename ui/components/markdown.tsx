/** The Markdown of annotations as elements: the title of an object, a summary line, and the whole description. */
import type { Metadata } from "../model/annotations.ts";
import { descriptionOf, titleOf } from "../model/annotations.ts";
import { type Block, markdownBlocks, markdownSpans, type Span } from "../model/markdown.ts";
import * as words from "../model/text/en/shared.ts";

/** The title of an object, else its name. It contains no links because it is part of one. */
export function Title({ metadata }: { metadata: Metadata }) {
  const title = titleOf(metadata);
  return title === undefined ? <>{metadata.name}</> : <Spans spans={markdownSpans(title)} isInLink />;
}

/** The description of an object in one line. */
export function DescriptionLine({ metadata }: { metadata: Metadata }) {
  const description = descriptionOf(metadata);
  if (description === undefined) return null;
  return (
    <span class="about">
      <Spans spans={markdownSpans(description.replaceAll(/\s+/g, " "))} />
    </span>
  );
}

/** The longest description that is not folded, in characters. */
const SHORT = 240;

/** The title of an object, if any, and its description; a long one is folded. */
export function FoldedDescription({ metadata }: { metadata: Metadata }) {
  const description = descriptionOf(metadata) ?? "";
  if (description.length <= SHORT && !description.includes("\n")) return <Description metadata={metadata} />;
  return (
    <details class="folded-about">
      <summary>
        {titleOf(metadata) === undefined ? words.aboutRun : <Title metadata={metadata} />}
      </summary>
      <Description metadata={metadata} withTitle={false} />
    </details>
  );
}

/** The title of an object, if any, and its whole description. */
export function Description({ metadata, withTitle = true }: { metadata: Metadata; withTitle?: boolean }) {
  const title = withTitle ? titleOf(metadata) : undefined;
  const description = descriptionOf(metadata);
  if (title === undefined && description === undefined) return null;
  return (
    <div class="lead markdown">
      {title !== undefined && (
        <p class="heading">
          <Spans spans={markdownSpans(title)} />
        </p>
      )}
      {description !== undefined && markdownBlocks(description).map((block, i) => <BlockView key={i} block={block} />)}
    </div>
  );
}

/** A block of Markdown. */
export function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "code":
      return <pre class="words">{block.text}</pre>;
    case "list": {
      const items = block.items.map((spans, i) => (
        <li key={i}>
          <Spans spans={spans} />
        </li>
      ));
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "quote":
      return (
        <blockquote>
          <Spans spans={block.spans} />
        </blockquote>
      );
    default:
      // Headings of a description must not be headings of the page.
      return (
        <p class={block.kind === "heading" ? "heading" : undefined}>
          <Spans spans={block.spans} />
        </p>
      );
  }
}

function Spans({ spans, isInLink = false }: { spans: readonly Span[]; isInLink?: boolean }) {
  return <>{spans.map((span, i) => <SpanView key={i} span={span} isInLink={isInLink} />)}</>;
}

function SpanView({ span, isInLink }: { span: Span; isInLink: boolean }) {
  if ("text" in span) return span.kind === "code" ? <code>{span.text}</code> : <>{span.text}</>;
  const inside = <Spans spans={span.inside} isInLink={isInLink} />;
  switch (span.kind) {
    case "strong":
      return <strong>{inside}</strong>;
    case "em":
      return <em>{inside}</em>;
    case "del":
      return <del>{inside}</del>;
    case "link":
      return isInLink ? inside : <a href={span.href} target="_blank" rel="noopener noreferrer">{inside}</a>;
  }
}
