/**
 * The orders of the shop, and the events it has handled. In memory, to be
 * short: a real shop has both in its database, an order and the id of the
 * event that changed it in one transaction.
 */
import type { Dedupe, DedupeState, WebhookEvent } from "@runhook/sdk/webhooks"

export interface Order {
  readonly id: string
  readonly executionId: string
  readonly status: string
  readonly result: object | null
  /** How many events have changed it. */
  readonly changes: number
}

export class Orders implements Dedupe {
  readonly #orders = new Map<string, Order>()
  readonly #events = new Map<string, Exclude<DedupeState, "new">>()

  get(id: string): Order | undefined {
    return this.#orders.get(id)
  }

  /** A callback may have come before the answer that says who the execution is. */
  accept(id: string, executionId: string): void {
    if (!this.#orders.has(id)) {
      this.#orders.set(id, { id, executionId, status: "queued", result: null, changes: 0 })
    }
  }

  follow({ execution, reference, type }: WebhookEvent): void {
    if (type === "webhook.test") return
    const known = this.#orders.get(reference)
    const isOver = known !== undefined && known.status !== "queued" && known.status !== "running"
    // Events may overtake one another, so what is over stays over.
    if (isOver) return
    this.#orders.set(reference, {
      id: reference,
      executionId: execution.id,
      status: execution.status,
      result: execution.result,
      changes: (known?.changes ?? 0) + 1
    })
  }

  begin(eventId: string): DedupeState {
    const state = this.#events.get(eventId) ?? "new"
    if (state === "new") this.#events.set(eventId, "busy")
    return state
  }

  done(eventId: string): void {
    this.#events.set(eventId, "done")
  }

  forget(eventId: string): void {
    this.#events.delete(eventId)
  }
}
