"use strict";
// The provider that a first author ends up with by following the guide to dynamic providers: everything in the program,
// one provider object shared by all resources, helper functions that its methods capture, the token read in `configure`.
// Zod schemas cannot be captured (the SDK refuses their bound functions), hence the validator by hand; of clients, fetch
// is captured by its name alone, so none is smaller. No retry, no limit of requests in flight. A token captured as a
// secret Output instead would encrypt the whole text for each resource: this is the lighter of the two.
const pulumi = require("@pulumi/pulumi");

const config = new pulumi.Config("bench");
const domainId = config.require("domainId");

const channelTypes = ["email", "discord", "slack", "ms_teams", "pushover", "webhook"];
const webhookMethods = ["POST", "PUT", "PATCH"];

async function post(url, apiToken, body) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${apiToken}`,
      Accept: "application/json",
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

function validateChannel({ label, type, value, secondaryValue }) {
  const failures = [];
  if (typeof label !== "string" || label.length < 3 || label.length > 100) {
    failures.push({ property: "label", reason: "must have 3 to 100 characters" });
  }
  if (!channelTypes.includes(type)) {
    failures.push({ property: "type", reason: `must be one of ${channelTypes.join(", ")}` });
  }
  if (value !== null && typeof value !== "string") {
    failures.push({ property: "value", reason: "must be a string or null" });
  }
  if (type === "webhook" && secondaryValue && !webhookMethods.includes(secondaryValue)) {
    failures.push({ property: "secondaryValue", reason: `must be one of ${webhookMethods.join(", ")}` });
  }
  return failures;
}

class ChannelProvider {
  async configure({ config }) {
    this.baseUrl = config.require("domain-monitoring:baseUrl");
    this.apiToken = config.require("domain-monitoring:apiToken");
  }

  async check(_olds, news) {
    return { inputs: news, failures: validateChannel(news) };
  }

  async diff(_id, olds, news) {
    const inputs = ["domainId", "label", "type", "value", "secondaryValue"];
    const replaces = inputs.filter((name) => olds[name] !== news[name]);
    return { changes: replaces.length > 0, replaces };
  }

  async create(inputs) {
    const url = `${this.baseUrl}/api/domains/${inputs.domainId}/notification-channels`;
    const { data } = await post(url, this.apiToken, {
      label: inputs.label,
      type: inputs.type,
      value: inputs.value,
      secondary_value: inputs.secondaryValue,
    });
    if (typeof data?.id !== "string") throw new Error("the service answered with no notification channel");
    return {
      id: data.id,
      outs: {
        ...inputs,
        channelId: data.id,
        typeHuman: data.type_human,
        isProtected: data.is_protected,
        isDisabled: data.is_disabled,
        disabledReason: data.disabled_reason,
        createdAt: data.created_at,
      },
    };
  }

  // The service has no way to delete a channel.
  async delete() {}
}

const provider = new ChannelProvider();

class Channel extends pulumi.dynamic.Resource {
  constructor(name, args, opts) {
    const outputs = {
      channelId: undefined,
      typeHuman: undefined,
      isProtected: undefined,
      isDisabled: undefined,
      disabledReason: undefined,
      createdAt: undefined,
    };
    super(provider, name, { ...outputs, ...args }, opts);
  }
}

for (let number = 0; number < config.requireNumber("count"); number++) {
  new Channel(`channel-${number}`, {
    domainId,
    label: `Channel ${number}`,
    type: "slack",
    value: pulumi.secret(`https://hooks.example.com/services/T000/B000/destination-${number}`),
  });
}
