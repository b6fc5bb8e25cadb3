/**
 * The page's style sheet: system fonts, light and dark mode, suitable for print and narrow screens.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --card: #f6f7f9; --text: #1b1f24; --muted: #59636e; --line: #d5dae0;
  --ok: #1a7f64; --expiring: #b45309; --expired: #c4242b; --certificate: #5b5fc7; --unknown: #6b7480;
  --bound: #f59e0b26; --stripe: #f6f7f9; --today: #1b1f24;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1318; --card: #181e25; --text: #e6eaef; --muted: #9aa5b1; --line: #303841;
    --ok: #3fb68b; --expiring: #f0a94a; --expired: #ff7b78; --certificate: #9b9ef5; --unknown: #8f9aa6;
    --bound: #f0a94a26; --stripe: #161b22; --today: #e6eaef;
  }
}
.ok, .pass { --kind: var(--ok); }
.expiring, .warn { --kind: var(--expiring); }
.expired, .invalid, .unreadable, .fail { --kind: var(--expired); }
.unknown, .stale, .none, .bar.unreadable { --kind: var(--unknown); }
.certificate { --kind: var(--certificate); }
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1120px; padding: 32px 24px 48px; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
}
h1 { margin: 0 0 4px; font-size: 26px; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 36px 0 12px; font-size: 18px; }
p, figure { margin: 0; }
.narrow { display: none; }
.muted, summary span { color: var(--muted); }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 20px 0 0; padding: 0; list-style: none; }
.tiles li { flex: 1 1 120px; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.tiles strong { display: block; color: var(--kind, inherit); font-size: 24px; line-height: 1.2; font-variant-numeric: tabular-nums; }
figcaption { display: flex; flex-wrap: wrap; gap: 6px 20px; margin-bottom: 12px; color: var(--muted); font-size: 13px; }
figcaption span { display: inline-flex; align-items: center; gap: 7px; }
figcaption i { display: inline-block; width: 22px; height: 10px; border-radius: 5px; background: var(--kind); }
figcaption i.expired { background: repeating-linear-gradient(45deg, var(--expired) 0 3px, transparent 3px 5px); border: 1px solid var(--expired); }
figcaption i.invalid, figcaption i.certificate { height: 4px; }
figcaption i.missing { height: 0; border-top: 2px dotted var(--unknown); border-radius: 0; }
figcaption i.bound { border-radius: 2px; background: var(--bound); border: 1px solid var(--line); }
.scroll, .box { border: 1px solid var(--line); border-radius: 8px; }
.scroll { overflow-x: auto; }
svg { display: block; width: 100%; min-width: 820px; height: auto; padding: 8px; }
svg.defs { position: absolute; width: 0; height: 0; min-width: 0; padding: 0; }
svg text { fill: var(--text); font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif; font-variant-numeric: tabular-nums; }
svg .note, svg .tick text { font-size: 11.5px; fill: var(--muted); }
svg .note.bad { fill: var(--expired); }
svg .date.expiring, svg .date.expired { fill: var(--kind); font-weight: 600; }
svg .date.unknown { fill: var(--muted); font-style: italic; }
svg .tick line { stroke: var(--line); }
svg .today line { stroke: var(--today); stroke-dasharray: 4 3; }
svg .today text { font-weight: 700; font-size: 12px; }
svg .stripe { fill: var(--stripe); }
svg .bound { fill: var(--bound); }
svg .missing line { stroke: var(--unknown); stroke-width: 2; stroke-dasharray: 1 6; stroke-linecap: round; }
svg .missing text { fill: var(--muted); font-weight: 600; }
svg .bar { fill: var(--kind); }
svg .bar .cross { fill: none; stroke: var(--expired); stroke-width: 2; }
svg .bar.expired rect { fill: url(#hatch); }
svg .hatch-ground { fill: var(--expired); fill-opacity: .25; }
svg .hatch-line { stroke: var(--expired); stroke-width: 4; }
table { width: 100%; min-width: 820px; border-collapse: collapse; font-size: 14px; }
th, td { padding: 9px 12px; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { border-top: 0; }
thead th { color: var(--muted); font-size: 12px; font-weight: 600; white-space: nowrap; }
tbody th { min-width: 200px; font-weight: 600; overflow-wrap: anywhere; }
td { white-space: nowrap; font-variant-numeric: tabular-nums; }
td:nth-of-type(1), td:nth-of-type(3) { min-width: 200px; white-space: normal; }
td:last-child { white-space: normal; }
small { display: block; color: var(--muted); font-weight: 400; overflow-wrap: anywhere; }
.badge { display: inline-block; padding: 0 9px; border: 1px solid currentColor; border-radius: 999px; font-size: 12px; font-weight: 600; white-space: nowrap; color: var(--kind); }
.lines { margin: 0; padding-left: 20px; overflow-wrap: anywhere; }
.filter { display: flex; flex-wrap: wrap; gap: 6px 8px; margin: 24px 0 0; padding: 0; border: 0; }
.filter legend { margin-bottom: 6px; padding: 0; color: var(--muted); font-size: 13px; }
.filter label { padding: 4px 12px; border: 1px solid var(--line); border-radius: 999px; font-size: 13px; cursor: pointer; }
.filter label:has(:checked) { border-color: var(--text); background: var(--card); font-weight: 600; }
.filter input { margin: 0 4px 0 0; accent-color: var(--text); }
details { border-top: 1px solid var(--line); }
details:first-child { border-top: 0; }
details.group { border: 0; }
details.group > summary { padding: 14px 0 8px; font-weight: 600; }
details.group > summary span { font-weight: 400; }
body:has(.filter :checked:not(#only-all)) details.group::details-content { content-visibility: visible; block-size: auto; }
summary { padding: 9px 12px; cursor: pointer; overflow-wrap: anywhere; }
details ul { margin: 0 0 12px; padding: 0 12px 0 34px; }
details li { margin: 4px 0; overflow-wrap: anywhere; }
.filter b { color: var(--muted); font-variant-numeric: tabular-nums; }
footer { margin-top: 36px; color: var(--muted); font-size: 13px; }
@media (max-width: 700px) {
  body { padding: 20px 12px 32px; }
  table { min-width: 0; }
  thead { display: none; }
  tbody tr { display: grid; grid-template-columns: 3fr 2fr; border-top: 1px solid var(--line); }
  tbody th { grid-column: 1 / -1; min-width: 0; }
  tbody th, tbody td { border: 0; padding: 4px 12px; overflow-wrap: anywhere; }
  tbody td:nth-of-type(1), tbody td:nth-of-type(3) { min-width: 0; }
  tbody:first-of-type tr:first-child { border-top: 0; }
  figure { display: none; }
  .narrow { display: block; }
  td::before { display: block; color: var(--muted); font-size: 12px; }
}
@media print {
  body { max-width: none; padding: 0; }
  .filter { display: none; }
  svg, table, tbody th, tbody td:nth-of-type(n) { min-width: 0; }
  table { font-size: 12px; }
  th, td { padding: 6px; }
  .scroll { overflow: visible; }
  tr, details { break-inside: avoid; }
  details:not(.group)::details-content { content-visibility: visible; block-size: auto; }
}
`;
