/** Alerts, and who is told of them. The same calls for a key, for an account and for the whole service. */
import type {
  AlertList,
  AlertTargetCreated,
  AlertTargetDetail,
  AlertTargetList,
  AlertTargetTested,
  CreateAlertTarget,
  UpdateAlertTarget
} from "../wire/Integration.ts"
import type { Client, ClientTypes } from "./Client.ts"
import { get, patch, pathOf, post, remove } from "./Describe.ts"

const targets = <T extends ClientTypes>(client: Client<T>) => ({
  /**
   * Has a webhook or a mailbox told of alerts. Its answer alone has the signing secret.
   *
   * @example
   * ```ts
   * const { id } = await runhook.alerts.targets.create({
   *   channel: "email",
   *   address: "ops@example.com"
   * })
   * ```
   */
  create: (body: CreateAlertTarget, options?: T["options"]) =>
    client.call<AlertTargetCreated>(post("/alert-targets", body, options)),

  /**
   * All targets, oldest first.
   *
   * @example
   * ```ts
   * const { data } = await runhook.alerts.targets.list()
   * ```
   */
  list: (options?: T["options"]) => client.call<AlertTargetList>(get("/alert-targets", options)),

  /**
   * One target, and whether it took the last message.
   *
   * @example
   * ```ts
   * const { last_error } = await runhook.alerts.targets.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<AlertTargetDetail>(get(pathOf`/alert-targets/${id}`, options)),

  /**
   * Chooses which alerts it gets, or pauses it.
   *
   * @example
   * ```ts
   * await runhook.alerts.targets.update(id, { paused_until: "2026-03-07T18:00:00Z" })
   * ```
   */
  update: (id: string, body: UpdateAlertTarget, options?: T["options"]) =>
    client.call<AlertTargetDetail>(patch(pathOf`/alert-targets/${id}`, body, options)),

  /**
   * Tells it nothing more.
   *
   * @example
   * ```ts
   * await runhook.alerts.targets.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/alert-targets/${id}`, options)),

  /**
   * Sends a test now, and says whether it was taken.
   *
   * @example
   * ```ts
   * const { taken, error } = await runhook.alerts.targets.test(id)
   * ```
   */
  test: (id: string, options?: T["options"]) =>
    client.call<AlertTargetTested>(post(pathOf`/alert-targets/${id}/test`, undefined, options))
})

export const alerts = <T extends ClientTypes>(client: Client<T>) => ({
  /**
   * What is wrong now, then what was in the last days.
   *
   * @example
   * ```ts
   * for (const { title, closed_at } of (await runhook.alerts.list()).data) console.log(title, closed_at ?? "open")
   * ```
   */
  list: (options?: T["options"]) => client.call<AlertList>(get("/alerts", options)),
  /** Who is told of alerts. */
  targets: targets(client)
})
