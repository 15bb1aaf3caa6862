/** Calls of deliveries, replays and endpoints. */
import { root, type Ways } from "./Ways.ts"
import type { Everything } from "./Everything.ts"

const endpoints = `${root}/webhooks/endpoints`

/** By endpoint of the contract. */
export const webhookWays = ({
  done,
  endpoint,
  replay,
  runhook,
  service,
  settled
}: Everything): Readonly<Record<string, () => Ways>> => ({
  "GET /webhooks/deliveries": () => ({
    client: () => runhook.deliveries.list({ q: settled.shown, status: ["delivered", "dead"] }).page(),
    effect: ({ deliveries }) => deliveries.page({ q: settled.shown, status: ["delivered", "dead"] }),
    python: "deliveries.list(q=settled.shown, status=['delivered', 'dead']).page()",
    raw: { path: `${root}/webhooks/deliveries?q=${settled.shown}&status=delivered&status=dead` }
  }),
  "GET /webhooks/deliveries/:id": () => ({
    client: () => runhook.deliveries.get(settled.shown),
    effect: ({ deliveries }) => deliveries.get(settled.shown),
    python: "deliveries.get(settled.shown)",
    raw: { path: `${root}/webhooks/deliveries/${settled.shown}` }
  }),
  "POST /webhooks/deliveries/:id/replay": () => ({
    client: () => runhook.deliveries.replay(settled.byClient),
    effect: ({ deliveries }) => deliveries.replay(settled.byEffect),
    python: "deliveries.replay(settled.own)",
    raw: { method: "POST", path: `${root}/webhooks/deliveries/${settled.byHand}/replay` },
    own: ["id"]
  }),
  "POST /webhooks/replays": () => ({
    client: () => runhook.deliveries.replayAll({ q: "nothing", status: ["dead", "delivered"] }),
    effect: ({ deliveries }) => deliveries.replayAll({ q: "nothing", status: ["dead", "delivered"] }),
    python: "deliveries.replay_all(q='nothing', status=['dead', 'delivered'])",
    raw: { path: `${root}/webhooks/replays`, body: { q: "nothing", status: ["dead", "delivered"] } },
    own: ["id", "created_at", "updated_at"]
  }),
  "GET /webhooks/replays": () => ({
    client: () => runhook.deliveries.replays.list({ limit: 1 }).page(),
    effect: ({ deliveries }) => deliveries.replays.page({ limit: 1 }),
    python: "deliveries.replays.list(limit=1).page()",
    raw: { path: `${root}/webhooks/replays?limit=1` },
    // The newest is still being carried out.
    own: ["data", "next_cursor"]
  }),
  "GET /webhooks/replays/:id": () => ({
    client: () => runhook.deliveries.replays.get(replay),
    effect: ({ deliveries }) => deliveries.replays.get(replay),
    python: "deliveries.replays.get(replay)",
    raw: { path: `${root}/webhooks/replays/${replay}` }
  }),
  "POST /webhooks/replays/:id/cancel": () => ({
    client: () => runhook.deliveries.replays.cancel(replay),
    effect: ({ deliveries }) => deliveries.replays.cancel(replay),
    python: "deliveries.replays.cancel(replay)",
    raw: { method: "POST", path: `${root}/webhooks/replays/${replay}/cancel` }
  }),
  "GET /webhooks/endpoints": () => ({
    client: () => runhook.webhooks.endpoints.list(),
    effect: ({ webhooks }) => webhooks.endpoints.list(),
    python: "webhooks.endpoints.list()",
    raw: { path: endpoints }
  }),
  "POST /webhooks/endpoints": () => ({
    client: () => runhook.webhooks.endpoints.create({ kind: "push", url: service.url }),
    effect: ({ webhooks }) => webhooks.endpoints.create({ kind: "push", url: service.url }),
    python: "webhooks.endpoints.create(kind='push', url=url)",
    raw: { path: endpoints, body: { kind: "push", url: service.url } },
    own: ["id", "created_at", "updated_at", "signing_secret"]
  }),
  "GET /webhooks/endpoints/:id": () => ({
    client: () => runhook.webhooks.endpoints.get(endpoint.shown),
    effect: ({ webhooks }) => webhooks.endpoints.get(endpoint.shown),
    python: "webhooks.endpoints.get(endpoint.shown)",
    raw: { path: `${endpoints}/${endpoint.shown}` }
  }),
  "PATCH /webhooks/endpoints/:id": () => ({
    client: () => runhook.webhooks.endpoints.update(endpoint.shown, { description: "The shop" }),
    effect: ({ webhooks }) => webhooks.endpoints.update(endpoint.shown, { description: "The shop" }),
    python: "webhooks.endpoints.update(endpoint.shown, description='The shop')",
    raw: { method: "PATCH", path: `${endpoints}/${endpoint.shown}`, body: { description: "The shop" } },
    own: ["updated_at"]
  }),
  "POST /webhooks/endpoints/:id/rotate": () => ({
    client: () => runhook.webhooks.endpoints.rotate(endpoint.shown),
    effect: ({ webhooks }) => webhooks.endpoints.rotate(endpoint.shown),
    python: "webhooks.endpoints.rotate(endpoint.shown)",
    raw: { path: `${endpoints}/${endpoint.shown}/rotate`, body: {} },
    own: ["signing_secret", "previous_expires_at"]
  }),
  "POST /webhooks/endpoints/:id/test": () => ({
    client: () => runhook.webhooks.endpoints.test(endpoint.tested),
    effect: ({ webhooks }) => webhooks.endpoints.test(endpoint.tested),
    python: "webhooks.endpoints.test(endpoint.tested)",
    raw: { method: "POST", path: `${endpoints}/${endpoint.tested}/test` },
    own: ["next_attempt_at"]
  }),
  "GET /webhooks/endpoints/:id/messages": () => ({
    client: () => runhook.webhooks.endpoints.fetch(endpoint.shown, { limit: 5 }),
    effect: ({ webhooks }) => webhooks.endpoints.fetch(endpoint.shown, { limit: 5 }),
    python: "webhooks.endpoints.fetch(endpoint.shown, limit=5)",
    raw: { path: `${endpoints}/${endpoint.shown}/messages?limit=5` }
  }),
  "POST /webhooks/endpoints/:id/messages/ack": () => ({
    client: () => runhook.webhooks.endpoints.acknowledge(endpoint.shown, [done]),
    effect: ({ webhooks }) => webhooks.endpoints.acknowledge(endpoint.shown, [done]),
    python: "webhooks.endpoints.acknowledge(endpoint.shown, [done])",
    raw: { path: `${endpoints}/${endpoint.shown}/messages/ack`, body: { message_ids: [done] } }
  }),
  "DELETE /webhooks/endpoints/:id": () => ({
    client: () => runhook.webhooks.endpoints.remove(endpoint.byClient),
    effect: ({ webhooks }) => webhooks.endpoints.remove(endpoint.byEffect),
    python: "webhooks.endpoints.remove(endpoint.own)",
    raw: { method: "DELETE", path: `${endpoints}/${endpoint.shown}` }
  }),
  "POST /webhooks/test": () => ({
    client: () => runhook.webhooks.test({ callback_url: `${service.url}/hook` }),
    effect: ({ webhooks }) => webhooks.test({ callback_url: `${service.url}/hook` }),
    python: "webhooks.test(callback_url=f'{url}/hook')",
    raw: { path: `${root}/webhooks/test`, body: { callback_url: `${service.url}/hook` } },
    own: ["next_attempt_at"]
  })
})
