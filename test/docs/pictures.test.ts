/** The pictures of the README are what `npm run pictures` makes of the transcript, the command and the documentation of today. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { notificationChannelProvider } from "../../src/provider/notification-channel";
import { slackChannel } from "../provider/support/channels";
import { pageAt } from "./support/markdown";

const { images, render, transcript, withDiagram } = require("../../scripts/pictures.cjs");

const readme = pageAt("README.md").text;
const text = readFileSync(transcript, "utf8");

it("the pictures are all in the README and current", async () => {
  const shown = [...readme.matchAll(/docs\/images\/([\w-]+\.svg)/g)].map(([, name]) => name);
  const rendered: Record<string, string> = await render(text);
  expect(shown.sort()).toEqual(Object.keys(rendered).sort());
  for (const [name, picture] of Object.entries(rendered)) {
    expect({ name, picture: readFileSync(path.join(images, name), "utf8") }).toEqual({ name, picture });
  }
});

it("the picture of the terminal shows what the quickstart declares and what the provider prints", async () => {
  const program = readFileSync(path.join(images, "../../examples/quickstart/index.ts"), "utf8");
  const names = [...program.matchAll(/new NotificationChannel\("([^"]+)"/g)].map(([, name]) => name);
  expect(names).toHaveLength(3);
  for (const name of names) expect(text).toContain(`NotificationChannel ${name} created\n`);
  for (const [, output] of program.matchAll(/^export const (\w+)/gm)) expect(text).toContain(`    ${output}`);
  const told: string[] = [];
  await notificationChannelProvider((line) => told.push(line)).delete?.("an-id", slackChannel);
  expect(told).toHaveLength(1);
  expect(text).toContain(told[0]?.replace(/^.*an-id/, ""));
});

it("the README contains the diagram of docs/how-it-works.md", () => {
  expect(withDiagram(readme)).toBe(readme);
});
