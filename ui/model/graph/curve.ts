/** The curve of an edge as SVG path data, which a canvas also accepts. */

/** Returns a smooth curve through points that starts and ends horizontally. */
export function curveThrough(points: readonly number[]): string {
  let path = `M${points[0]} ${points[1]}`;
  for (let i = 2; i < points.length; i += 2) {
    const [x0, y0, x1, y1] = [points[i - 2]!, points[i - 1]!, points[i]!, points[i + 1]!];
    const reach = Math.max(12, (x1 - x0) / 2);
    path += y0 === y1 && x1 > x0 ? `L${x1} ${y1}` : `C${x0 + reach} ${y0} ${x1 - reach} ${y1} ${x1} ${y1}`;
  }
  return path;
}
