/** Color perception: contrast as in WCAG, distance in OKLab, and color blindness. */

/** Linear red, green and blue from 0 to 1. */
export type Linear = readonly [red: number, green: number, blue: number];

/** Color vision: normal, or without the cones for long, middle or short waves. */
export type ColorVision = "usual" | "protanopia" | "deuteranopia" | "tritanopia";

/** Parses `#rrggbb`. @throws {RangeError} for other texts */
export function readColour(text: string): Linear {
  const [, ...parts] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? [];
  const [red, green, blue] = parts.map((part) => linearize(parseInt(part, 16) / 255));
  if (red === undefined || green === undefined || blue === undefined) {
    throw new RangeError(`Expected a colour as #rrggbb, got ${JSON.stringify(text)}`);
  }
  return [red, green, blue];
}

function linearize(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Returns the contrast of two colors, from 1 to 21. */
export function contrast(one: Linear, other: Linear): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance([red, green, blue]: Linear): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

type Matrix = readonly [Linear, Linear, Linear];

/** Machado, Oliveira and Fernandes (2009), at full severity. */
const SIGHTS: Readonly<Record<ColorVision, Matrix>> = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** Returns a color as perceived with a kind of color vision. */
export function perceivedBy(sight: ColorVision, colour: Linear): Linear {
  return multiply(SIGHTS[sight], colour).map((value) => Math.min(1, Math.max(0, value))) as unknown as Linear;
}

/** Returns the distance of two colors in OKLab; that of black and white is 1. */
export function distance(one: Linear, other: Linear): number {
  const [a, b] = [okLab(one), okLab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

function okLab(colour: Linear): Linear {
  return multiply(TO_LAB, multiply(TO_CONES, colour).map(Math.cbrt) as unknown as Linear);
}

function multiply(matrix: Matrix, [x, y, z]: Linear): Linear {
  return matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Linear;
}
