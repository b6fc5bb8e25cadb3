/** `npm run bench:managed`: channels that are read, changed and deleted, against a plain loop and against create-only. See README.md. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import client from "../dist/client/index.js";
import { offlineEngine } from "./deploy/offline-engine.mjs";
import { MemoryWatch } from "./deploy/processes.mjs";
import { benchProgram, withProject } from "./deploy/project.mjs";
import { realEngine } from "./deploy/real-engine.mjs";
import { ask, bounded, withChild } from "./lib/children.mjs";
import { circumstances, publish, table } from "./lib/report.mjs";
import { median, ratios, rotated, spread } from "./lib/statistics.mjs";

const DOMAIN = "11111111-1111-4111-8111-111111111111";
const LATENCY_MS = 20;
const ENGINES = { real: realEngine, offline: offlineEngine };
const LIFECYCLES = ["managed", "create-only"];

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "1000" },
    changed: { type: "string", default: "100" },
    engines: { type: "string", default: "real,offline" },
    parts: { type: "string", default: "changes,life" },
    rounds: { type: "string", default: "3" },
    "skip-checkpoints": { type: "boolean", default: false },
    minutes: { type: "string", default: "40" },
  },
});
const size = Number(values.size);
const changed = Number(values.changed);
const rounds = Number(values.rounds);
const parts = values.parts.split(",");
// The real engine then writes its state once at the end, and not at every step.
const environment = values["skip-checkpoints"] ? { PULUMI_SKIP_CHECKPOINTS: "true" } : {};
const given = process.argv.slice(2).join(" ");
const command = `npm run bench:managed${given && ` -- ${given}`}`;
const say = (line) => process.stdout.write(`${line}\n`);
const signal = bounded(Number(values.minutes));

await withChild(fileURLToPath(new URL("managed/service.mjs", import.meta.url)), { signal }, measureAll);

async function measureAll(service, child) {
  const request = (...what) => ask(child, what);
  const engines = values.engines.split(",").map((name) => ENGINES[name]);
  for (const engine of engines) {
    if (engine.version() === undefined)
      say(`${engine.name}: skipped, there is no \`pulumi\` command on PATH`);
    else {
      try {
        if (parts.includes("changes")) await change(engine, service, request);
        if (parts.includes("life")) await live(engine, service, request);
      } catch (error) {
        if (!signal.aborted) throw error;
        say(`${engine.name}: left out, ${signal.reason.message}`);
      }
    }
  }
}

/** Works with a new stack of the program that declares channels as `declare` was told last. */
async function withStack(engine, service, work) {
  return await withProject(benchProgram("declared"), async (place) => {
    const declared = { count: size, label: "Channel", destination: "first", lifecycle: "managed" };
    const declare = (changes) => {
      Object.assign(declared, changes);
      writeFileSync(path.join(place.project, "declared.json"), JSON.stringify(declared));
    };
    declare({});
    const settings = {
      config: { "bench:domainId": DOMAIN, "domain-monitoring:baseUrl": service.url },
      secrets: { "domain-monitoring:apiToken": service.token },
      environment,
    };
    const stack = await engine.open(place, settings, signal);
    const memory = new MemoryWatch(place.directory);
    try {
      return await work(stack, declare, memory);
    } finally {
      memory.stop();
      await stack.close();
    }
  });
}

/** `up` of other labels: an update of managed channels, a replacement of create-only ones. And the bytes of both states. */
async function change(engine, service, request) {
  const runs = Object.fromEntries(LIFECYCLES.map((lifecycle) => [lifecycle, []]));
  for (let round = 0; round < rounds; round++) {
    for (const lifecycle of rotated(LIFECYCLES, round)) {
      const run = await withStack(engine, service, async (stack, declare) => {
        declare({ count: changed, lifecycle });
        await stack.up();
        const state = stack.state();
        await request("taken");
        declare({ label: "Renamed" });
        const seconds = await timed(stack.up);
        const { requests, ids } = await request("taken");
        const name = lifecycle === "managed" ? "updateNotificationChannel" : "createNotificationChannel";
        expect(requests, { [name]: changed });
        await request("remove", ids);
        return {
          seconds,
          bytes: state.length / changed,
          compact: JSON.stringify(JSON.parse(state)).length / changed,
          gzip: gzipSync(state).length / changed,
        };
      });
      runs[lifecycle].push(run);
      say(
        `${engine.name}, ${changed} ${lifecycle} channels, round ${round + 1}: ${run.seconds.toFixed(1)} s`,
      );
    }
  }
  const row = (title, pick, digits, compared) => {
    const [managed, createOnly] = LIFECYCLES.map((lifecycle) => runs[lifecycle].map(pick));
    const figures = [managed, createOnly].map((list) => median(list).toFixed(digits));
    return [title, ...figures, compared(managed, createOnly)];
  };
  const ratio = (managed, createOnly) => spread(ratios(managed, createOnly), 2);
  const more = (managed, createOnly) => `${(median(managed) - median(createOnly)).toFixed(0)} more`;
  const isFile = engine === realEngine;
  const rows = [
    row("`up` of other labels, s", (run) => run.seconds, 2, ratio),
    row(engine.stateMeasure, (run) => run.bytes, 0, more),
    ...(isFile ? [row("the same without indentation", (run) => run.compact, 0, more)] : []),
    ...(isFile ? [row("the same, gzip", (run) => run.gzip, 0, more)] : []),
  ];
  publish(
    `managed, changes, ${engine.name}`,
    [
      circumstances(command),
      `Version ${engine.version()}; ${changed} channels, median of ${rounds} interleaved rounds.`,
      "",
      table(["", ...LIFECYCLES, "managed / create-only"], rows),
    ].join("\n"),
  );
}

/** The whole life of a stack; at each step time, memory, requests, and what the service has then. */
async function live(engine, service, request) {
  const half = Math.ceil(size / 2);
  const few = Math.ceil(size / 10);
  const steps = [];
  const refreshes = { refresh: [], loop: [] };
  await withStack(engine, service, async (stack, declare, memory) => {
    await request("taken");
    let ids = [];
    const step = async (title, operation, expected, channels) => {
      memory.take();
      const seconds = await timed(operation);
      const taken = await request("taken");
      const { listNotificationChannels: lists = 0, ...requests } = taken.requests;
      steps.push({
        title,
        seconds,
        requests,
        lists,
        channels: taken.ids.length,
        peak: memory.take().provider,
      });
      say(`${engine.name}, ${title}: ${seconds.toFixed(1)} s, ${JSON.stringify(taken.requests)}`);
      expect(requests, expected);
      expect(taken.ids.length, channels);
      ids = taken.ids;
    };
    const [get, gone] = ["getNotificationChannel", "getNotificationChannel 404"];
    const [create, update, remove] = ["create", "update", "delete"].map(
      (verb) => `${verb}NotificationChannel`,
    );

    await step("create", stack.up, { [create]: size }, size);
    const created = ids;
    await step("`up` without changes", stack.noop, {}, size);
    declare({ label: "Renamed" });
    await step("other labels", stack.up, { [update]: size }, size);
    declare({ destination: "second" });
    await step("other destinations", stack.up, { [update]: size }, size);
    expect(ids, created);
    for (const { label, value } of Object.values(await request("channels")))
      if (!/^Renamed/.test(label) || !/second/.test(value)) throw new Error(`${label} was not updated`);

    await request("latency", LATENCY_MS);
    for (let round = 0; round < rounds; round++) {
      const turns = [
        ["refresh", stack.refresh],
        ["loop", () => readInSequence(service, ids)],
      ];
      for (const [name, act] of rotated(turns, round)) {
        memory.take();
        refreshes[name].push(await timed(act));
        if (name === "refresh") refreshes.peak = memory.take().provider;
        expect((await request("taken")).requests, { [get]: size });
      }
    }
    await request("latency", 0);

    await request("change", ids.slice(0, few), { label: "Changed by hand" });
    await request("remove", ids.slice(half));
    await step(
      `refresh: ${few} changed, ${size - half} removed by hand`,
      stack.refresh,
      { [get]: half, [gone]: size - half },
      half,
    );
    await step("`up`: mended", stack.up, { [update]: few, [create]: size - half }, size);
    await step("refresh: nothing differs", stack.refresh, { [get]: size }, size);
    declare({ count: half });
    await step("half of them leave the program", stack.up, { [remove]: size - half }, half);
    // One here and one there, so that the list is read while others are deleted.
    const removed = ids.filter((_, index) => index % 50 === 0);
    await request("remove", removed);
    await step(
      `destroy: ${removed.length} removed by hand before`,
      stack.destroy,
      { [remove]: half - removed.length, [`${remove} 404`]: removed.length },
      0,
    );
  });
  const ratio = spread(ratios(refreshes.loop, refreshes.refresh), 2);
  publish(
    `managed, life, ${engine.name}`,
    [
      circumstances(command),
      `Version ${engine.version()}; ${size} channels of one domain, one round.`,
      "",
      table(
        ["", "s", "requests for channels", "for lists", "channels then", "provider process, MiB"],
        steps.map(({ title, seconds, requests, lists, channels, peak }) => [
          title,
          seconds.toFixed(1),
          Object.entries(requests).map(inWords).join(", "),
          String(lists),
          String(channels),
          peak === 0 ? "" : peak.toFixed(0),
        ]),
      ),
      "",
      `Refresh of ${size} channels, each answer ${LATENCY_MS} ms late: ${spread(refreshes.refresh, 1)} s, provider process ` +
        `${refreshes.peak.toFixed(0)} MiB. One GET after the other with the client: ${spread(refreshes.loop, 1)} s. ` +
        `Loop / refresh: ${ratio}.`,
    ].join("\n"),
  );
}

async function readInSequence({ url, token }, ids) {
  const plain = new client.DomainMonitoringClient({ baseUrl: url, apiToken: token });
  try {
    for (const id of ids) await plain.notificationChannels.get(DOMAIN, id);
  } finally {
    await plain.close();
  }
}

function inWords([operation, count]) {
  return `${count} ${operation.replace("NotificationChannel", "")}`;
}

function expect(actual, expected) {
  const text = (value) => JSON.stringify(value, Object.keys({ ...value }).sort());
  if (text(actual) !== text(expected)) throw new Error(`${text(actual)} instead of ${text(expected)}`);
}

async function timed(operation) {
  const begun = performance.now();
  await operation();
  return (performance.now() - begun) / 1000;
}
