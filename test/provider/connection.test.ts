/** Messages of a connection about its service, and about channels that are to be let go. */
import { Connection } from "../../src/provider/connection";
import { isolateTests } from "../client/support/cleanup";
import { answer, startService } from "../client/support/service";

isolateTests();

test("says once that a rate limit makes calls wait", async () => {
  const service = await startService([answer(429, {}, { "retry-after": "30" })]);
  const warnings: string[] = [];
  const explicit = { baseUrl: service.url, apiToken: "token", timeoutSeconds: 20 };
  const { client } = new Connection(explicit, (line) => warnings.push(line));

  // The deadline is too short to wait, so the test is over at once.
  for (let call = 1; call <= 2; call++)
    await expect(client.domains.get("one")).rejects.toThrow("It asks to wait 30 s");

  await client.close();
  expect(warnings).toEqual([
    expect.stringContaining("the service's rate limit is reached: waiting 30 s."),
  ]);
});

// test/common/text.test.ts has every form of a word.
test.each([
  ["x; curl elsewhere|sh", "'x; curl elsewhere|sh'"],
  ["half\nof it", "ID"],
])("writes an id as one word for a shell, whatever it is: %j", (id, word) => {
  expect(new Connection().abandonCommand(id)).toBe(
    `pulumi config set domain-monitoring:abandon ${word}`,
  );
});

test("names the ids to let go beside the listed ones, as many as a message may have, the last ones", () => {
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const connection = new Connection();
  connection.configure((key) => (key === "domain-monitoring:abandon" ? "channel-1" : undefined));
  const commands = Array.from({ length: 60 }, (_, number) =>
    connection.abandonCommand(idOf(number)),
  );

  expect(commands[1]?.endsWith(` channel-1,${idOf(0)},${idOf(1)}`)).toBe(true);
  expect(commands[59]?.split(",")).toHaveLength(35);
  expect(commands[59]).toContain(idOf(59));
});
