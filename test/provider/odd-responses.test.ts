/**
 * Answers that prove nothing: records of a list that cannot be read, and pages of something in
 * front of the service.
 */
import type { Properties } from "../../src/provider/boundary";
import { type Fields, serveOddly } from "../support/odd-list";
import { DOMAIN } from "./support/channels";
import { deployed, failure, fault, service, stackOf, useService } from "./support/service";

const HTML = { status: 200, body: "<html>Log in</html>" };
const shop: Properties = { domain: "shop.example" };

describe("a channel", () => {
  useService("NotificationChannel");

  /** Removes the channel of a stack by hand, while the list still has a record in its place. */
  async function removed(change: (record: Fields) => unknown) {
    const stack = await deployed();
    const id = stack.recorded?.id ?? "";
    const changeThis = (record: Fields) => (record.id === id ? change(record) : record);
    const address = `/${DOMAIN}/notification-channels`;
    await serveOddly(service, "listNotificationChannels", address, changeThis);
    service.removeChannel(id);

    return { stack, id };
  }

  test("is not gone while the list has a record with its id, readable or not", async () => {
    const upper = ({ id }: Fields) => String(id).toUpperCase();
    const { stack, id } = await removed((record) => ({ ...record, id: upper(record), type: 5 }));
    for (const step of [() => stack.refresh(), () => stack.destroy()])
      expect(await failure(step())).toContain("got 404, but the domain's list still has it");

    expect(stack.recorded?.id).toBe(id);
  });

  test("is gone where a record that cannot be read is another one", async () => {
    const { stack } = await removed((record) => ({ ...record, id: DOMAIN, type: 5 }));
    await stack.refresh();
    expect(stack.recorded).toBeUndefined();
  });

  test("is not known to be gone where a record shows no id, which is named", async () => {
    const { stack, id } = await removed(() => ({ label: "?" }));
    const unproven =
      /cannot be read \(notificationChannels\.list .*: 1 record cannot be read \(number 1, id: /;

    expect(await failure(stack.refresh())).toMatch(unproven);
    expect(await failure(stack.destroy())).toMatch(unproven);
    expect(stack.recorded?.id).toBe(id);
  });

  test("stays in the state if its delete is answered with an HTML page, in one line", async () => {
    const stack = await deployed();
    fault("delete", HTML);
    const message = await failure(stack.destroy());

    expect(message).toMatch(
      /^Notification channel .* is not deleted: DELETE .*: got 200 with an HT/,
    );
    expect(message).toContain("may have been deleted anyway");
    expect(message).not.toContain("\n");
    expect(service.channels()).toHaveLength(1);

    await stack.destroy();
    expect(stack.recorded).toBeUndefined();
    expect(service.channels()).toEqual([]);
  });
});

describe("a domain", () => {
  useService("Domain");

  const breakList = (change: (record: Fields) => unknown) =>
    serveOddly(service, "listDomains", "", change);

  const odd = (record: Fields) => ({ ...record, components: null });

  test("is created beside one that cannot be read, and not beside one that may have its name", async () => {
    await breakList((record) => (record.domain === "example.com" ? odd(record) : record));
    await stackOf().up(shop);
    service.clearFaults();
    await breakList((record) => (record.domain === "example.com" ? { id: record.id } : record));
    const problem = "the list of domains cannot be used: domains.list: 1 record cannot be read";
    const creating = () => failure(stackOf().up({ domain: "new.example" }));
    expect(await creating()).toContain(`is not created, because ${problem}`);

    service.clearFaults();
    await breakList((record) => ({ ...odd(record), domain: "new.example" }));
    expect(await creating()).toContain("is not created, because the list");
  });

  test("is not gone while the list has a record with its id that cannot be read", async () => {
    const stack = await deployed(shop);
    await breakList((record) => (record.domain === shop.domain ? odd(record) : record));
    service.removeDomain(stack.recorded?.id ?? "");
    expect(await failure(stack.refresh())).toMatch(
      /got 404, and the list of domains cannot be used: domains\.list: 1 record cannot be read/,
    );
  });

  test("is gone where a record that cannot be read is another one", async () => {
    const stack = await deployed(shop);
    service.removeDomain(stack.recorded?.id ?? "");
    service.addDomain({ domain: "odd.example" });
    await breakList((record) => (record.domain === "odd.example" ? odd(record) : record));
    await stack.refresh();

    expect(stack.recorded).toBeUndefined();
  });
});
