/**
 * The measured clients, used as their documentation recommends: one long-lived instance, the token
 * in a header, the response as an object. Only ours validates the response.
 */
import { request as octokitRequest } from "@octokit/request";
import axios from "axios";
import got from "got";
import ky from "ky";
import { ofetch } from "ofetch";
import { Agent, request } from "undici";
import dist from "../../dist/client/index.js";

const { DomainMonitoringClient } = dist;

const TOKEN = "0123456789abcdef0123456789abcdef01234567";
export const IN_FLIGHT = 10;
const DOMAIN = "11111111-1111-4111-8111-111111111111";
const LIST = "10000";

const domainPath = `/api/domains/${DOMAIN}`;
const pagePath = `/api/domains/${LIST}/changes/whois?per_page=100&page=2`;
const headers = { authorization: `Bearer ${TOKEN}`, accept: "application/json" };

/** Name of the client that all ratios refer to. */
export const REFERENCE = "undici.request + JSON.parse";
export const OURS = "ours, every answer validated";

/** The minimum with undici: everything above it is the cost of a client's features. */
export function rawClient(url) {
  const dispatcher = new Agent();
  return {
    get: async (path) => {
      const { body } = await request(url + path, { dispatcher, headers });
      return JSON.parse(await body.text());
    },
    close: () => dispatcher.close(),
  };
}

export function ourClient(url, onEvent) {
  return new DomainMonitoringClient({
    baseUrl: url,
    apiToken: TOKEN,
    concurrency: IN_FLIGHT,
    onEvent,
  });
}

function ours(name, url, onEvent) {
  const client = ourClient(url, onEvent);
  return {
    name,
    domain: () => client.domains.get(DOMAIN),
    page: () => client.whoisChanges.list(LIST, { perPage: 100, page: 2 }),
    close: () => client.close(),
  };
}

/** Clients that differ only in one function, from path to object. */
function plain(name, get, close = async () => {}) {
  return { name, domain: () => get(domainPath), page: () => get(pagePath), close };
}

export function contenders(url) {
  const raw = rawClient(url);
  const kyClient = ky.create({ prefixUrl: url, headers });
  const gotClient = got.extend({ prefixUrl: url, headers });
  const ofetchClient = ofetch.create({ baseURL: url, headers });
  const axiosClient = axios.create({ baseURL: url, headers });
  const octokit = octokitRequest.defaults({ baseUrl: url, headers });
  return [
    plain(REFERENCE, raw.get, raw.close),
    ours(OURS, url),
    ours("ours, with onEvent", url, () => {}),
    plain("fetch", async (path) => (await fetch(url + path, { headers })).json()),
    plain("ky", (path) => kyClient.get(path.slice(1)).json()),
    plain("got", (path) => gotClient.get(path.slice(1)).json()),
    plain("ofetch", (path) => ofetchClient(path)),
    plain("axios", async (path) => (await axiosClient.get(path)).data),
    plain("@octokit/request", async (path) => (await octokit(`GET ${path}`)).data),
  ];
}
