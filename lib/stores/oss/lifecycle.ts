/** Lifecycle rules of a bucket: adds our rule for a key and keeps all other rules unchanged. */
import { createHash } from "node:crypto";
import { escapeXml, readXml, textAt } from "@tiphys/base/xml";

/** Days until an object is moved to infrequent access, and until it is deleted. */
export interface LifecycleRule {
  readonly markInfrequentAccessAfterDays?: number;
  readonly markDeletionAfterDays?: number;
}

/** Returns the document of a bucket's rules with ours added; undefined when it exists already, or no rule is needed. */
export function withRule(document: string, key: string, rule: LifecycleRule): string | undefined {
  const { markInfrequentAccessAfterDays: cold = 0, markDeletionAfterDays: gone = 0 } = rule;
  if (cold <= 0 && gone <= 0) return undefined;
  const id = createHash("sha256").update(key).digest("hex");
  const own = [
    `<Rule><ID>${id}</ID><Prefix>${escapeXml(key)}</Prefix><Status>Enabled</Status>`,
    cold > 0 ? `<Transition><Days>${cold}</Days><StorageClass>IA</StorageClass></Transition>` : "",
    gone > 0 ? `<Expiration><Days>${gone}</Days></Expiration>` : "",
    "</Rule>",
  ].join("");
  const rules = [...rulesIn(document)];
  if (rules.includes(own)) return undefined;
  const others = rules.filter((each) => textAt(readXml(each), "ID") !== id);
  return `<?xml version="1.0" encoding="UTF-8"?><LifecycleConfiguration>${
    others.join("")
  }${own}</LifecycleConfiguration>`;
}

/** Yields the rules as written, so that unknown parts are preserved. */
function* rulesIn(document: string): Generator<string> {
  const close = "</Rule>";
  for (let index = document.indexOf("<Rule>"); index >= 0; index = document.indexOf("<Rule>", index)) {
    const end = document.indexOf(close, index);
    if (end < 0) return;
    yield document.slice(index, end + close.length);
    index = end;
  }
}
