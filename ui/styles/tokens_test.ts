/** The rules of the design tokens: readable text and distinguishable colors. */
import { assert, assertEquals } from "@std/assert";
import { SHADES } from "../model/graph/tint.ts";
import { SHADE_COLOURS } from "../model/graph/svg.ts";
import { type ColorVision, contrast, distance, perceivedBy, readColour } from "./testing/colour.ts";

const css = await Deno.readTextFile(new URL("tokens.css", import.meta.url));
const pairs = new Map(
  [...css.matchAll(/--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);
const THEMES = ["light", "dark"] as const;
const FAMILIES = ["works", "done", "failed", "error", "waits", "idle"];
const GROUNDS = ["ground", "panel"];
const SIGHTS: readonly ColorVision[] = ["usual", "protanopia", "deuteranopia", "tritanopia"];

function colour(name: string, theme: "light" | "dark") {
  const pair = pairs.get(name);
  assert(pair, `tokens.css has no --${name}`);
  return readColour(pair[theme]);
}

Deno.test("tokens: text and phase icons are readable on both backgrounds, in both themes", () => {
  for (const theme of THEMES) {
    for (const name of ["text", "muted", "accent", ...FAMILIES]) {
      for (const ground of [...GROUNDS, "hover", "selected"]) {
        const found = contrast(colour(name, theme), colour(ground, theme));
        assert(found >= 4.5, `--${name} on --${ground}, ${theme}: ${found.toFixed(2)}`);
      }
    }
    for (const area of ["accent", "failed"]) {
      const onArea = contrast(colour("on-accent", theme), colour(area, theme));
      assert(onArea >= 4.5, `--on-accent on --${area}, ${theme}: ${onArea.toFixed(2)}`);
    }
  }
});

Deno.test("tokens: the borders of controls are visible on both backgrounds", () => {
  for (const theme of THEMES) {
    for (const ground of GROUNDS) {
      const found = contrast(colour("border", theme), colour(ground, theme));
      assert(found >= 3, `--border on --${ground}, ${theme}: ${found.toFixed(2)}`);
    }
  }
});

Deno.test("tokens: families of phases are distinguishable with every kind of color vision", () => {
  const closest = { light: 1, dark: 1 };
  for (const theme of THEMES) {
    for (const sight of SIGHTS) {
      for (const [index, family] of FAMILIES.entries()) {
        for (const other of FAMILIES.slice(index + 1)) {
          const found = distance(perceivedBy(sight, colour(family, theme)), perceivedBy(sight, colour(other, theme)));
          closest[theme] = Math.min(closest[theme], found);
          assert(found >= 0.07, `--${family} and --${other}, ${theme}, ${sight}: ${found.toFixed(3)}`);
        }
      }
    }
  }
  assertEquals(Object.values(closest).every((candidate) => candidate < 1), true);
});

Deno.test("tokens: text is readable and phase icons are visible on every shade of a graph", () => {
  for (const theme of THEMES) {
    for (const shade of SHADES) {
      const words = contrast(colour("text", theme), colour(shade, theme));
      assert(words >= 4.5, `--text on --${shade}, ${theme}: ${words.toFixed(2)}`);
      for (const family of FAMILIES) {
        const signs = contrast(colour(family, theme), colour(shade, theme));
        assert(signs >= 3, `--${family} on --${shade}, ${theme}: ${signs.toFixed(2)}`);
      }
    }
  }
});

Deno.test("tokens: hues of names are distinguishable with every kind of color vision, and shades of a measure are ordered", () => {
  for (const theme of THEMES) {
    for (const sight of SIGHTS) {
      const seen = (name: string) => perceivedBy(sight, colour(name, theme));
      const kinds = SHADES.filter((shade) => shade.startsWith("kind"));
      for (const [index, kind] of kinds.entries()) {
        for (const other of kinds.slice(index + 1)) {
          const found = distance(seen(kind), seen(other));
          assert(found >= 0.05, `--${kind} and --${other}, ${theme}, ${sight}: ${found.toFixed(3)}`);
        }
      }
      const heats = SHADES.filter((shade) => shade.startsWith("heat")).map((shade) =>
        contrast(seen(shade), seen("ground"))
      );
      assertEquals(heats, heats.toSorted((a, b) => a - b), `${theme}, ${sight}`);
    }
  }
});

Deno.test("tokens: exported images have the shades of the light theme", () => {
  assertEquals(Object.entries(SHADE_COLOURS), SHADES.map((shade) => [shade, pairs.get(shade)!.light]));
});

Deno.test("tokens: no other style sheet contains colors", async () => {
  for await (const { name } of Deno.readDir(new URL(".", import.meta.url))) {
    if (!name.endsWith(".css") || name === "tokens.css") continue;
    const text = await Deno.readTextFile(new URL(name, import.meta.url));
    assertEquals([...text.matchAll(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/gi)].map(([color]) => color), [], name);
  }
});
