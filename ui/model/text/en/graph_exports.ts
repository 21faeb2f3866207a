/** Words on the files that a graph is saved as. */

export const svgButton = "SVG";
export const pngButton = "PNG";
export const mermaidButton = "Mermaid";
