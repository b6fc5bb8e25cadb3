/** Text inside HTML and SVG. */
import { plain } from "../text";

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for use between tags or in a quoted attribute. */
export function escapeMarkup(text: string): string {
  return plain(text, 500).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
