/** Texts of the file formats that a graph is saved as. */

export const svgButton = "SVG";
export const pngButton = "PNG";
export const mermaidButton = "Mermaid";
