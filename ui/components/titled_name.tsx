/** The link to an object in a list: its title, if any, followed by its name, which is unique. */
import { type Metadata, titleOf } from "../model/annotations.ts";
import { LongName, nameForScreenReaders } from "./long_name.tsx";
import { Title } from "./markdown.tsx";

export function TitledName({ metadata, href }: { metadata: Metadata; href: string }) {
  const { name = "" } = metadata;
  if (titleOf(metadata) === undefined) {
    return (
      <a href={href} title={name} aria-label={nameForScreenReaders(name)}>
        <LongName text={name} />
      </a>
    );
  }
  return (
    <>
      <a class="title" href={href} title={name}>
        <Title metadata={metadata} />
      </a>{" "}
      <span class="about own-name">
        <LongName text={name} />
      </span>
    </>
  );
}
