"use strict";
// What a rehearsal plays, and what a reviewer and the person on duty expect to see.
const fs = require("node:fs");
const path = require("node:path");
const { HEALTHY } = require("./jobs.cjs");
const { check, quote } = require("./output.cjs");

const root = path.join(__dirname, "..", "..");
const UNKNOWN = "99999999-9999-4999-8999-999999999999";

async function play(rehearsal) {
  const { service } = rehearsal;

  const opened = await rehearsal.pullRequest();
  const comment = rehearsal.left("comment.md");
  quote(comment);
  check("the pull request passes", opened.ok);
  check("its comment shows the channels to be created", /\+.*on-call.*create/.test(comment));
  const domains = ["example.com", "example.org"];
  check(
    "its comment shows the expiry of each domain",
    domains.every((domain) => comment.includes(domain)),
  );
  check("the same is in the job's summary", fs.readFileSync(rehearsal.summary, "utf8") === comment);
  check("it is one new comment", /^pr comment 7 .*--body-file comment\.md$/m.test(rehearsal.gh()));
  check("nothing was created", service.channels().length === 0);

  rehearsal.runner.REHEARSAL_GH_FOUND = "41";
  const pushed = await rehearsal.pullRequest();
  check(
    "another push updates the comment and adds none",
    pushed.ok && /PATCH .*comments\/41 /.test(rehearsal.gh()) && !rehearsal.gh().includes("pr comment"),
  );

  const first = await rehearsal.main();
  check("main deploys, finds nothing left to do, and reports", first.deployed && first.reported);
  check("the three channels exist", service.channels().length === 3);
  check(
    "the domains are in the job's summary",
    /example\.org/.test(fs.readFileSync(rehearsal.summary, "utf8")),
  );
  const again = await rehearsal.main();
  check("main once more creates nothing", again.deployed && service.channels().length === 3);

  const unreported = await rehearsal.step("main.yml", "Summary", { DOMAIN_IDS: UNKNOWN });
  check(
    "a report that fails says that the deployment has succeeded",
    unreported.code === 1 && /The deployment has succeeded\. Only this report/.test(unreported.log),
  );
  const nothing = await rehearsal.main({ DOMAIN_IDS: "" });
  check(
    "without DOMAIN_IDS nothing is deployed",
    !nothing.deployed && /DOMAIN_IDS is not set/.test(nothing.log),
  );

  rehearsal.runner.REHEARSAL_GH_FOUND = "";
  const night = await rehearsal.night();
  const issue = rehearsal.left("issue.md");
  quote(issue);
  check("the nightly job fails with exit code 2, that of a registration to renew", night === 2);
  check("it opens an issue", /^issue create /m.test(rehearsal.gh()));
  check("its issue names the domain that expires", /example\.org expires on .*renew it/.test(issue));
  check("it finds no drift", !/^## (The service|Changes|The preview)/m.test(issue));

  rehearsal.change("index.ts", 'label: "Registrar team"', 'label: "Registrar desk"');
  const replacing = await rehearsal.pullRequest();
  const shown = rehearsal.left("comment.md");
  quote(shown.split("~~~~")[1]);
  check(
    "a changed label passes as a replacement",
    replacing.ok && /\+-.*registrar-team.*replace/.test(shown),
  );
  check(
    "and the comment names the channel that would stay behind",
    /"Registrar team" \(email, .* stays in the service/.test(shown),
  );

  rehearsal.runner.REHEARSAL_GH_FOUND = "42";
  const drifted = await rehearsal.night();
  check("the next night updates the one issue", drifted === 2 && /^issue edit 42 /m.test(rehearsal.gh()));
  check(
    "which now also tells of a program that was not deployed",
    rehearsal.left("issue.md").includes("Changes of the program or its settings are not deployed"),
  );
  rehearsal.change("index.ts", 'label: "Registrar desk"', 'label: "Registrar team"');

  check("a night on which all is well passes", (await rehearsal.night({ DOMAIN_IDS: HEALTHY })) === 0);
  check("and closes the issue", /^issue close 42 /m.test(rehearsal.gh()));

  const whole = await rehearsal.night({ DOMAIN_IDS: HEALTHY, ALL_DOMAINS: "true" });
  check(
    "a night of the whole account also finds what DOMAIN_IDS does not name",
    whole === 2 && /example\.org expires on .*renew it/.test(rehearsal.left("issue.md")),
  );

  const unknown = await rehearsal.night({ DOMAIN_IDS: `${HEALTHY} ${UNKNOWN}` });
  check("a domain that could not be determined is exit code 1", unknown === 1);
  check("no night has created a channel", service.channels().length === 3);

  await playPolicies(rehearsal);

  await playKilledDeployment(rehearsal);

  // What no night can find, said as plainly as in docs/ci-cd.md: this must not become a promise unnoticed.
  const removed = service.channels();
  for (const { id } of removed) service.removeChannel(id);
  check(
    "create-only channels that were all removed in the service are NOT found at night: nothing can find them",
    removed.length === 4 && (await rehearsal.night({ DOMAIN_IDS: HEALTHY })) === 0,
  );
  for (const { domainId, id, label, type, value } of removed)
    service.addChannel(domainId, { id, label, type, value });

  await playDriftOfTheService(rehearsal);
}

/** A runner that dies in the middle of a create, and what a maintainer is told. */
async function playKilledDeployment(rehearsal) {
  const { service } = rehearsal;
  const inputs = 'domainId, label: "Paging", type: "email", value: config.requireSecret("email")';
  fs.appendFileSync(
    path.join(rehearsal.repository, "index.ts"),
    `\nnew NotificationChannel("paging", { ${inputs} });\n`,
  );
  rehearsal.begin("main.yml, and the runner dies");
  await rehearsal.killedUp();
  const [twin] = service.channels().filter(({ label }) => label === "Paging");
  check("the killed deployment has created a channel", twin !== undefined);

  const stopped = await rehearsal.main();
  quote(stopped.log);
  check("the next main deploys nothing", !stopped.deployed && service.channels().length === 4);
  check("its log names the operation", /^creating urn:.*::paging$/m.test(stopped.log));
  check("and lists the channel, which the stack has not recorded", stopped.log.includes(twin.id));

  service.removeChannel(twin.id);
  for (const args of [
    ["cancel", "--yes"],
    ["refresh", "--clear-pending-creates", "--yes"],
  ])
    await rehearsal.pulumi([...args, "--stack", "staging"]);
  const repaired = await rehearsal.main();
  check("after the steps of the log, main deploys", repaired.deployed);
  const paging = service.channels().filter(({ label }) => label === "Paging");
  check("and the channel is there once", paging.length === 1 && service.channels().length === 4);
}

/** With managed channels a night finds what was changed in the service, and says what mends it. */
async function playDriftOfTheService(rehearsal) {
  const { service } = rehearsal;
  await rehearsal.pulumi(["config", "set", "domain-monitoring:lifecycle", "managed"]);
  await rehearsal.pulumi(["up", "--refresh", "--yes", "--skip-preview", "--stack", "staging"]);
  const [changed] = service.channels();
  service.updateChannel(changed.id, { label: "By hand" });
  const night = await rehearsal.night({ DOMAIN_IDS: HEALTHY });
  const issue = rehearsal.left("issue.md");
  quote(issue.split("~~~~")[0]);
  check("a managed channel that was changed in the service fails the night", night !== 0);
  check(
    "the issue calls it a change of the service",
    issue.startsWith("## The service differs from what was deployed"),
  );
  check("and names the command that mends it", issue.includes("pulumi up --refresh --stack staging"));
  await rehearsal.pulumi(["up", "--refresh", "--yes", "--skip-preview", "--stack", "staging"]);
  const mended = service.channels().find(({ id }) => id === changed.id);
  check("after this command the channel is as declared", mended?.label === changed.label);
  check("and the next night passes", (await rehearsal.night({ DOMAIN_IDS: HEALTHY })) === 0);
}

/** A pull request that violates a policy: a channel with all notifications off. */
async function playPolicies(rehearsal) {
  const copy = path.join(rehearsal.repository, "policy-pack");
  const filter = (source) => path.basename(source) !== "node_modules";
  fs.cpSync(path.join(root, "examples", "policy-pack"), copy, { recursive: true, filter });
  const kept = await rehearsal.pullRequest({ POLICY_PACK: "policy-pack" });
  check("a pull request that keeps to the policies passes", kept.ok);

  const silent = ["whois", "dns", "ssl"].map((kind) => `${kind}NotificationsEnabled: false`).join(", ");
  const inputs = `domainId, label: "Silent", type: "email", value: config.requireSecret("email"), ${silent}`;
  const channel = `\nnew NotificationChannel("breaks-policies", { ${inputs} });\n`;
  fs.appendFileSync(path.join(rehearsal.repository, "index.ts"), channel);
  const refused = await rehearsal.pullRequest({ POLICY_PACK: "policy-pack" });
  const comment = rehearsal.left("comment.md");
  quote(comment);
  check("a broken policy blocks the pull request", refused.preview !== 0);
  check("its comment names the policy", /\[mandatory\].*silent/.test(comment));
  check("nothing was created", rehearsal.service.channels().length === 3);
  rehearsal.change("index.ts", channel, "");
}

module.exports = { play };
