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
    go: 'client.Deliveries.ListPage(ctx, DeliveryFilter{Q: at(given, "settled.shown"), Status: []DeliveryState{"delivered", "dead"}})',
    raw: { path: `${root}/webhooks/deliveries?q=${settled.shown}&status=delivered&status=dead` }
  }),
  "GET /webhooks/deliveries/:id": () => ({
    client: () => runhook.deliveries.get(settled.shown),
    effect: ({ deliveries }) => deliveries.get(settled.shown),
    python: "deliveries.get(settled.shown)",
    go: 'client.Deliveries.Get(ctx, at(given, "settled.shown"))',
    raw: { path: `${root}/webhooks/deliveries/${settled.shown}` }
  }),
  "POST /webhooks/deliveries/:id/replay": () => ({
    client: () => runhook.deliveries.replay(settled.byClient),
    effect: ({ deliveries }) => deliveries.replay(settled.byEffect),
    python: "deliveries.replay(settled.own)",
    go: 'client.Deliveries.Replay(ctx, at(given, "settled.own"))',
    raw: { method: "POST", path: `${root}/webhooks/deliveries/${settled.byHand}/replay` },
    own: ["id"]
  }),
  "POST /webhooks/replays": () => ({
    client: () => runhook.deliveries.replayAll({ q: "nothing", status: ["dead", "delivered"] }),
    effect: ({ deliveries }) => deliveries.replayAll({ q: "nothing", status: ["dead", "delivered"] }),
    python: "deliveries.replay_all(q='nothing', status=['dead', 'delivered'])",
    go: 'client.Deliveries.ReplayAll(ctx, ReplayDeliveries{Q: "nothing", Status: []ReplayableState{"dead", "delivered"}})',
    raw: { path: `${root}/webhooks/replays`, body: { q: "nothing", status: ["dead", "delivered"] } },
    own: ["id", "created_at", "updated_at"]
  }),
  "GET /webhooks/replays": () => ({
    client: () => runhook.deliveries.replays.list({ limit: 1 }).page(),
    effect: ({ deliveries }) => deliveries.replays.page({ limit: 1 }),
    python: "deliveries.replays.list(limit=1).page()",
    go: "client.Deliveries.Replays.ListPage(ctx, PageQuery{Limit: 1})",
    raw: { path: `${root}/webhooks/replays?limit=1` },
    // The newest is still being carried out.
    own: ["data", "next_cursor"]
  }),
  "GET /webhooks/replays/:id": () => ({
    client: () => runhook.deliveries.replays.get(replay),
    effect: ({ deliveries }) => deliveries.replays.get(replay),
    python: "deliveries.replays.get(replay)",
    go: 'client.Deliveries.Replays.WaitFor(ctx, at(given, "replay"))',
    raw: { path: `${root}/webhooks/replays/${replay}` }
  }),
  "POST /webhooks/replays/:id/cancel": () => ({
    client: () => runhook.deliveries.replays.cancel(replay),
    effect: ({ deliveries }) => deliveries.replays.cancel(replay),
    python: "deliveries.replays.cancel(replay)",
    go: 'client.Deliveries.Replays.Cancel(ctx, at(given, "replay"))',
    raw: { method: "POST", path: `${root}/webhooks/replays/${replay}/cancel` }
  }),
  "GET /webhooks/endpoints": () => ({
    client: () => runhook.webhooks.endpoints.list(),
    effect: ({ webhooks }) => webhooks.endpoints.list(),
    python: "webhooks.endpoints.list()",
    go: "client.Webhooks.Endpoints.List(ctx)",
    raw: { path: endpoints }
  }),
  "POST /webhooks/endpoints": () => ({
    client: () => runhook.webhooks.endpoints.create({ kind: "push", url: service.url }),
    effect: ({ webhooks }) => webhooks.endpoints.create({ kind: "push", url: service.url }),
    python: "webhooks.endpoints.create(kind='push', url=url)",
    go: 'client.Webhooks.Endpoints.Create(ctx, CreateWebhookEndpoint{Kind: "push", URL: at(given, "url")})',
    raw: { path: endpoints, body: { kind: "push", url: service.url } },
    own: ["id", "created_at", "updated_at", "signing_secret"]
  }),
  "GET /webhooks/endpoints/:id": () => ({
    client: () => runhook.webhooks.endpoints.get(endpoint.shown),
    effect: ({ webhooks }) => webhooks.endpoints.get(endpoint.shown),
    python: "webhooks.endpoints.get(endpoint.shown)",
    go: 'client.Webhooks.Endpoints.Get(ctx, at(given, "endpoint.shown"))',
    raw: { path: `${endpoints}/${endpoint.shown}` }
  }),
  "PATCH /webhooks/endpoints/:id": () => ({
    client: () => runhook.webhooks.endpoints.update(endpoint.shown, { description: "The shop" }),
    effect: ({ webhooks }) => webhooks.endpoints.update(endpoint.shown, { description: "The shop" }),
    python: "webhooks.endpoints.update(endpoint.shown, description='The shop')",
    go: 'client.Webhooks.Endpoints.Update(ctx, at(given, "endpoint.shown"), UpdateWebhookEndpoint{Description: Ptr("The shop")})',
    raw: { method: "PATCH", path: `${endpoints}/${endpoint.shown}`, body: { description: "The shop" } },
    own: ["updated_at"]
  }),
  "POST /webhooks/endpoints/:id/rotate": () => ({
    client: () => runhook.webhooks.endpoints.rotate(endpoint.shown),
    effect: ({ webhooks }) => webhooks.endpoints.rotate(endpoint.shown),
    python: "webhooks.endpoints.rotate(endpoint.shown)",
    go: 'client.Webhooks.Endpoints.Rotate(ctx, at(given, "endpoint.shown"), RotateEndpointSecret{})',
    raw: { path: `${endpoints}/${endpoint.shown}/rotate`, body: {} },
    own: ["signing_secret", "previous_expires_at"]
  }),
  "POST /webhooks/endpoints/:id/test": () => ({
    client: () => runhook.webhooks.endpoints.test(endpoint.tested),
    effect: ({ webhooks }) => webhooks.endpoints.test(endpoint.tested),
    python: "webhooks.endpoints.test(endpoint.tested)",
    go: 'client.Webhooks.Endpoints.Test(ctx, at(given, "endpoint.tested"))',
    raw: { method: "POST", path: `${endpoints}/${endpoint.tested}/test` },
    own: ["next_attempt_at"]
  }),
  "GET /webhooks/endpoints/:id/messages": () => ({
    client: () => runhook.webhooks.endpoints.fetch(endpoint.shown, { limit: 5 }),
    effect: ({ webhooks }) => webhooks.endpoints.fetch(endpoint.shown, { limit: 5 }),
    python: "webhooks.endpoints.fetch(endpoint.shown, limit=5)",
    go: 'client.Webhooks.Endpoints.Fetch(ctx, at(given, "endpoint.shown"), FetchMessages{Limit: 5})',
    raw: { path: `${endpoints}/${endpoint.shown}/messages?limit=5` }
  }),
  "POST /webhooks/endpoints/:id/messages/ack": () => ({
    client: () => runhook.webhooks.endpoints.acknowledge(endpoint.shown, [done]),
    effect: ({ webhooks }) => webhooks.endpoints.acknowledge(endpoint.shown, [done]),
    python: "webhooks.endpoints.acknowledge(endpoint.shown, [done])",
    go: 'client.Webhooks.Endpoints.Acknowledge(ctx, at(given, "endpoint.shown"), AcknowledgeMessages{MessageIDs: []string{at(given, "done")}})',
    raw: { path: `${endpoints}/${endpoint.shown}/messages/ack`, body: { message_ids: [done] } }
  }),
  "DELETE /webhooks/endpoints/:id": () => ({
    client: () => runhook.webhooks.endpoints.remove(endpoint.byClient),
    effect: ({ webhooks }) => webhooks.endpoints.remove(endpoint.byEffect),
    python: "webhooks.endpoints.remove(endpoint.own)",
    go: 'nothing(client.Webhooks.Endpoints.Remove(ctx, at(given, "endpoint.own")))',
    raw: { method: "DELETE", path: `${endpoints}/${endpoint.shown}` }
  }),
  "POST /webhooks/test": () => ({
    client: () => runhook.webhooks.test({ callback_url: `${service.url}/hook` }),
    effect: ({ webhooks }) => webhooks.test({ callback_url: `${service.url}/hook` }),
    python: "webhooks.test(callback_url=f'{url}/hook')",
    go: 'client.Webhooks.Test(ctx, TestWebhook{CallbackURL: at(given, "url") + "/hook"})',
    raw: { path: `${root}/webhooks/test`, body: { callback_url: `${service.url}/hook` } },
    own: ["next_attempt_at"]
  })
})
