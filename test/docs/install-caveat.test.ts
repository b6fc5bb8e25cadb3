/**
 * The package names are not registered. Every page that installs by name warns of this, with a text
 * from one place.
 */
import { pageAt, pages } from "./support/markdown";

const PACKAGES =
  "pulumi-domain-monitoring|domain-monitoring-emulator|pulumi-offline|pulumi_domain_monitoring";

/**
 * A command that would fetch one of the packages from a registry, or the plugin from its address.
 */
const BY_NAME = new RegExp(
  [
    `(?:npm|pnpm|yarn|pip) (?:install|add|i) (?:[^\\n\`]* )?(?:${PACKAGES})\\b(?!-)`,
    "pulumi plugin install [^\\n]*--server",
    "run the same line in any directory",
  ].join("|"),
);

const installing = pages.filter(
  ({ file, text }) => BY_NAME.test(text) && !/^(README\.md$|docs\/contributing\/)/.test(file),
);

it("README says that the names are not registered, and what to do until they are", () => {
  const { anchors, text } = pageAt("README.md");
  expect(anchors.has("install")).toBe(true);
  expect(text).toContain(
    "The packages are **not on npm yet, and nobody owns the names:** don't install them by name.",
  );
});

it.each(installing)("$file has the caveat", ({ text }) => {
  expect(text).toMatch(
    /\((?:(?:\.\.\/)+README\.md|https:\/\/github\.com\/\w+\/pulumi-domain-monitoring(?:\/blob\/main\/README\.md)?)#install\)/,
  );
});

it("the pages that install by name are found", () => {
  expect(installing.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["docs/reference/commands.md", "docs/installation-configuration.md"]),
  );
});
