/** Schedules. The same calls for a key and for an account. */
import type {
  CreateSchedule,
  PageQuery,
  Schedule,
  ScheduleDetail,
  ScheduleTriggered,
  TriggerSchedule,
  UpdateSchedule
} from "../wire/Integration.ts"
import type { Client, ClientTypes } from "./Client.ts"
import { get, list, patch, pathOf, post, remove } from "./Describe.ts"

export const schedules = <T extends ClientTypes, Create = CreateSchedule, Change = UpdateSchedule>(
  client: Client<T>
) => ({
  /**
   * Creates executions again and again: by `cron` in a `time_zone`, or `every_seconds`.
   *
   * @example
   * ```ts
   * const { id, next_at } = await runhook.schedules.create({
   *   name: "Invoices of the night",
   *   cron: "30 2 * * *",
   *   time_zone: "Europe/Berlin",
   *   execution: { agent_id, task_id }
   * })
   * ```
   */
  create: (body: Create, options?: T["options"]) =>
    client.call<ScheduleDetail>(post("/schedules", body, options)),

  /**
   * All schedules, newest first.
   *
   * @example
   * ```ts
   * for await (const { name, last } of runhook.schedules.list()) console.log(name, last?.outcome)
   * ```
   */
  list: (page?: PageQuery, options?: T["options"]) =>
    client.list<Schedule>(list("/schedules", page, options)),

  /**
   * One schedule, its next due times, and what came of the last one.
   *
   * @example
   * ```ts
   * const { next_at, last } = await runhook.schedules.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<ScheduleDetail>(get(pathOf`/schedules/${id}`, options)),

  /**
   * Changes what the body names; `enabled` pauses and resumes it.
   *
   * @example
   * ```ts
   * await runhook.schedules.update(id, { enabled: false })
   * ```
   */
  update: (id: string, body: Change, options?: T["options"]) =>
    client.call<ScheduleDetail>(patch(pathOf`/schedules/${id}`, body, options)),

  /**
   * Removes it. Executions that it has created stay.
   *
   * @example
   * ```ts
   * await runhook.schedules.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) => client.nothing(remove(pathOf`/schedules/${id}`, options)),

  /**
   * Creates an execution of it now, also during a pause.
   *
   * @example
   * ```ts
   * const { execution_id } = await runhook.schedules.trigger(id)
   * ```
   */
  trigger: (id: string, body?: TriggerSchedule, options?: T["options"]) =>
    client.call<ScheduleTriggered>(post(pathOf`/schedules/${id}/trigger`, body, options))
})
