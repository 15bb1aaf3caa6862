/** Standing endpoints, and the messages of those that are polled. */
import type {
  CreateWebhookEndpoint,
  EndpointSecretRotated,
  EndpointTested,
  MessagesAcknowledged,
  RotateEndpointSecret,
  UpdateWebhookEndpoint,
  WebhookEndpointCreated,
  WebhookEndpointDetail,
  WebhookEndpointList,
  WebhookMessageList
} from "../wire/Integration.ts"
import type { Client, ClientTypes, IntegrationClient } from "./Client.ts"
import { get, idempotentPost, patch, pathOf, post, remove, waitingGet } from "./Describe.ts"

/** How many messages to fetch, and how many seconds to wait for the first. */
export interface FetchMessages {
  readonly limit?: number | undefined
  readonly wait?: number | undefined
}

const root = "/webhooks/endpoints"

const fetchOf = <Options>(id: string, query: FetchMessages, options?: Options) =>
  waitingGet<WebhookMessageList, Options>(pathOf`/webhooks/endpoints/${id}/messages`, options, query)

const ackOf = <Options>(id: string, message_ids: ReadonlyArray<string>, options?: Options) =>
  idempotentPost<MessagesAcknowledged, Options>(
    pathOf`/webhooks/endpoints/${id}/messages/ack`,
    { message_ids },
    options
  )

/** The calls that the integration API and the admin API have in common. */
export const endpointCalls = <T extends ClientTypes>(client: Client<T>) => ({
  /**
   * Has every matching event delivered to an endpoint from now on. Its answer alone has the signing secret.
   *
   * @example
   * ```ts
   * const { signing_secret } = await runhook.webhooks.endpoints.create({ kind: "push", url })
   * ```
   */
  create: (body: CreateWebhookEndpoint, options?: T["options"]) =>
    client.call<WebhookEndpointCreated>(post(root, body, options)),

  /**
   * All endpoints, oldest first.
   *
   * @example
   * ```ts
   * const { data } = await runhook.webhooks.endpoints.list()
   * ```
   */
  list: (options?: T["options"]) => client.call<WebhookEndpointList>(get(root, options)),

  /**
   * One endpoint.
   *
   * @example
   * ```ts
   * const { enabled } = await runhook.webhooks.endpoints.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<WebhookEndpointDetail>(get(pathOf`/webhooks/endpoints/${id}`, options)),

  /**
   * Changes or pauses it, for events from now on.
   *
   * @example
   * ```ts
   * await runhook.webhooks.endpoints.update(id, { enabled: false })
   * ```
   */
  update: (id: string, body: UpdateWebhookEndpoint, options?: T["options"]) =>
    client.call<WebhookEndpointDetail>(patch(pathOf`/webhooks/endpoints/${id}`, body, options)),

  /**
   * Removes it: what waits for it is cancelled.
   *
   * @example
   * ```ts
   * await runhook.webhooks.endpoints.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/webhooks/endpoints/${id}`, options)),

  /**
   * Replaces its signing secret; the old one signs beside it for a while.
   *
   * @example
   * ```ts
   * const { signing_secret } = await runhook.webhooks.endpoints.rotate(id, { overlap_seconds: 3_600 })
   * ```
   */
  rotate: (id: string, body: RotateEndpointSecret = {}, options?: T["options"]) =>
    client.call<EndpointSecretRotated>(post(pathOf`/webhooks/endpoints/${id}/rotate`, body, options)),

  /**
   * Has a signed `webhook.test` event delivered to it.
   *
   * @example
   * ```ts
   * const { delivery_id } = await runhook.webhooks.endpoints.test(id)
   * ```
   */
  test: (id: string, options?: T["options"]) =>
    client.call<EndpointTested>(post(pathOf`/webhooks/endpoints/${id}/test`, undefined, options)),

  /**
   * Messages of a poll endpoint, leased for a minute.
   *
   * @example
   * ```ts
   * const { data: waiting } = await runhook.webhooks.endpoints.fetch(id, { wait: 30 })
   * ```
   */
  fetch: (id: string, query: FetchMessages = {}, options?: T["options"]) =>
    client.call<WebhookMessageList>(fetchOf(id, query, options)),

  /**
   * Says that messages have arrived. Others are given out again.
   *
   * @example
   * ```ts
   * const { data: fetched } = await runhook.webhooks.endpoints.fetch(id)
   * await runhook.webhooks.endpoints.acknowledge(id, fetched.map(({ message_id }) => message_id))
   * ```
   */
  acknowledge: (id: string, message_ids: ReadonlyArray<string>, options?: T["options"]) =>
    client.call<MessagesAcknowledged>(ackOf(id, message_ids, options))
})

const consumer = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The messages of a poll endpoint, as they come, without an end. A message is acknowledged once the next one is
   * asked for; one whose handling fails comes again.
   *
   * @example
   * ```ts
   * for await (const { body } of runhook.webhooks.endpoints.messages(id)) console.log(body)
   * ```
   */
  messages: (id: string, options?: T["waitOptions"]) =>
    client.messages({
      fetch: fetchOf(id, { limit: 10, wait: 30 }, options),
      acknowledge: (ids) => ackOf(id, ids, options)
    })
})

export const endpoints = <T extends ClientTypes>(
  client: IntegrationClient<T>
): ReturnType<typeof endpointCalls<T>> & ReturnType<typeof consumer<T>> => ({
  ...endpointCalls(client),
  ...consumer(client)
})
