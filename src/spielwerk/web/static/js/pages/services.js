// Where the services of this server are reached, as this browser would reach them.

import { has, t } from "../texts.js";

const ANY = ["0.0.0.0", "::", ""];

/** Whether the page was reached by a name that means another machine everywhere else. */
export const isLocal = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

/** The usual ports of the services for clients, in their order. */
export const PORTS = JSON.parse(document.body.dataset.ports);

/** What a service is called; one that plays a single game is called by that. */
export function serviceName(name) {
  return t(has(`${name}.service`) ? `${name}.service` : `common.service.${name}`);
}

/** The host to name for a service that listens at this address. */
export function reachable(host) {
  return ANY.includes(host) ? location.hostname.replace(/^\[|\]$/g, "") : host;
}

/** Host and port as one writes them, with brackets around IPv6. */
export function written(host, port) {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The addresses of a service, each [host, port], without doubles. */
export function addresses(service) {
  const seen = new Map();
  for (const [host, port] of service?.addresses ?? []) {
    const named = reachable(host);
    seen.set(written(named, port), [named, port]);
  }
  return [...seen.values()];
}

/** The first address of the service of that name, as text; empty if it does not run. */
export function addressOf(services, name) {
  const [first] = addresses(services.find((service) => service.name === name));
  return first ? written(...first) : "";
}

/** The services that clients connect to, in the order in which they are shown. */
export function forClients(services) {
  return Object.keys(PORTS).map((name) => services.find((service) => service.name === name)).filter(Boolean);
}
