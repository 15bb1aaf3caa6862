/** The webhook deliveries of an account. */
import { pathOf } from "../call/Request.ts"
import type { CallOptions } from "../call/Settings.ts"
import type {
  AdminDeliveryFilter,
  AdminReplayDeliveries,
  AdminTestWebhook,
  DeadLetterList,
  DeliveryTried,
  SignedCommand
} from "../wire/Admin.ts"
import type {
  Delivery,
  DeliveryDetail,
  DeliveryReplayed,
  PageQuery,
  Replay,
  ReplayJob,
  TestWebhookQueued,
  WouldReplay
} from "../wire/Integration.ts"
import type { Rooted } from "./Rooted.ts"

export const makeDeliveries = ({ get, list, post, settle }: Rooted) => ({
  /** Deliveries of all keys of the account, newest first. */
  list: (filter?: AdminDeliveryFilter, options?: CallOptions) =>
    list<Delivery>("/deliveries", filter, options),

  /** One delivery with its payload and latest attempts. */
  get: (id: string, options?: CallOptions) => get<DeliveryDetail>(pathOf`/deliveries/${id}`, options),

  /** What was given up, by receiver and cause: one repair frees a group. */
  deadLetters: (options?: CallOptions) => get<DeadLetterList>("/dead-letters", options),

  /** Sends a settled delivery again: same event id, same body, signed afresh. */
  replay: (id: string, options?: CallOptions) =>
    post<DeliveryReplayed>(pathOf`/deliveries/${id}/replay`, undefined, options),

  /** Sends a delivery that waits at once: its next attempt, past its back-off and whatever its receiver is held for. */
  tryNow: (id: string, options?: CallOptions) =>
    settle<DeliveryTried>(pathOf`/deliveries/${id}/try`, undefined, options),

  /** The delivery as a command for a shell with curl, signed now. It sends nothing by itself. */
  curl: (id: string, options?: CallOptions) =>
    settle<SignedCommand>(pathOf`/deliveries/${id}/curl`, undefined, options),

  /** Begins to send again every delivery that matches and is settled by now, the dead ones unless told otherwise. */
  replayAll: (filter: AdminReplayDeliveries = {}, options?: CallOptions) =>
    post<Replay>("/deliveries/replays", filter, options),

  /** What `replayAll` would do. Changes nothing. */
  wouldReplay: (filter: AdminReplayDeliveries = {}, options?: CallOptions) =>
    settle<WouldReplay>("/deliveries/replays", { ...filter, dry_run: true }, options)
})

/** The jobs that `replayAll` begins. */
export const makeReplays = ({ get, list, settle }: Rooted) => ({
  /** The account's jobs, newest first; those of its keys are among them. */
  list: (page?: PageQuery, options?: CallOptions) => list<ReplayJob>("/webhooks/replays", page, options),

  /** How far a job has come. */
  get: (id: string, options?: CallOptions) => get<Replay>(pathOf`/webhooks/replays/${id}`, options),

  /** Stops a job; what it has made due is sent all the same. */
  cancel: (id: string, options?: CallOptions) =>
    settle<Replay>(pathOf`/webhooks/replays/${id}/cancel`, undefined, options)
})

export const makeWebhooks = ({ post }: Rooted) => ({
  /** Queues a `webhook.test` event for a URL, signed with the secret of a key. */
  test: (body: AdminTestWebhook, options?: CallOptions) =>
    post<TestWebhookQueued>("/webhooks/test", body, options)
})
