/** Schedules: what members of an account, operators and holders of a key do with them alike. */
import { ScheduleId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"
import { account, forKeys, inAccount } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { Conflict, Forbidden, NotFound } from "../Errors.ts"
import { BodyRuleStatus } from "../RequestRules.ts"
import { optional, pageQuery } from "../shared/Envelope.ts"
import {
  NewScheduleAsBody,
  NewScheduleBody,
  ScheduleChangeAsBody,
  ScheduleChangeBody,
  ScheduleDetail,
  SchedulePage,
  ScheduleTriggered,
  TriggerScheduleBody
} from "./ScheduleWire.ts"

/** `path` is what names the account; `bodies` are those that name a key where the caller has none. */
const scheduleEndpoints = <
  const Path extends Schema.Struct.Fields,
  Create extends Schema.Top,
  Change extends Schema.Top
>(
  path: Path,
  bodies: {
    readonly create: Create
    readonly change: Change
    readonly taking: string
    readonly example: string
  }
) => {
  const params = { ...path, id: ScheduleId }
  return [
    HttpApiEndpoint.get("list", "/schedules", {
      params: path,
      query: pageQuery,
      success: SchedulePage,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        summary: "List schedules",
        description: "The schedules of the account, newest first.",
        example:
          "for await (const { name, last } of runhook.schedules.list()) console.log(name, last?.outcome)"
      })
    ),
    HttpApiEndpoint.post("create", "/schedules", {
      params: path,
      payload: bodies.create,
      success: ScheduleDetail.pipe(HttpApiSchema.status(201)),
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          summary: "Create executions again and again",
          description:
            "Adds a schedule: by `cron` in a `time_zone`, or `every_seconds`. Each of its due times creates exactly one execution, as its key may create it then. A create that is refused is kept as the outcome of its due time.",
          example: bodies.example
        })
      )
      .annotate(BodyRuleStatus, 422),
    HttpApiEndpoint.get("get", "/schedules/:id", {
      params,
      success: ScheduleDetail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        summary: "Get one schedule",
        description: "The schedule, its next due times, and what came of the last one.",
        example: "const { next_at, last } = await runhook.schedules.get(id)"
      })
    ),
    HttpApiEndpoint.patch("change", "/schedules/:id", {
      params,
      payload: bodies.change,
      success: ScheduleDetail,
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          path: "schedules.update",
          summary: "Change, pause or resume a schedule",
          description: `Changes the given fields; \`enabled\` pauses and resumes it. With other times, and after a pause, it goes on with the first due time from then. ${bodies.taking}`,
          example: "await runhook.schedules.update(id, { enabled: false })"
        })
      )
      .annotate(BodyRuleStatus, 422),
    HttpApiEndpoint.delete("remove", "/schedules/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        summary: "Remove a schedule",
        description: "Removes it: nothing more is created. Executions that it has created stay.",
        example: "await runhook.schedules.remove(id)"
      })
    ),
    HttpApiEndpoint.post("trigger", "/schedules/:id/trigger", {
      params,
      payload: optional(TriggerScheduleBody),
      success: ScheduleTriggered.pipe(HttpApiSchema.status(201)),
      error: [Conflict, Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          summary: "Create an execution of a schedule now",
          description: "Creates an execution now, also during a pause. Its due times stay as they are.",
          overHttp: "409 if its overlap policy is `skip` and an earlier one is unfinished.",
          example: "const { execution_id } = await runhook.schedules.trigger(id)"
        })
      )
      .annotate(BodyRuleStatus, 422)
  ] as const
}

export class ScheduleEndpoints extends HttpApiGroup.make("schedules")
  .add(
    ...scheduleEndpoints(
      {},
      {
        create: NewScheduleBody,
        change: ScheduleChangeBody,
        taking:
          "A key that gives an `execution`, or enables the schedule, creates its executions from then on.",
        example:
          'const { id, next_at } = await runhook.schedules.create({ name: "Invoices of the night", cron: "30 2 * * *", time_zone: "Europe/Berlin", execution: { agent_id, task_id } })'
      }
    )
  )
  .annotate(OpenApi.Description, "Executions that are created again and again.")
  .pipe(forKeys) {}

export class AdminScheduleEndpoints extends HttpApiGroup.make("schedules")
  .add(
    ...scheduleEndpoints(account, {
      create: NewScheduleAsBody,
      change: ScheduleChangeAsBody,
      taking: "With `key_id`, that key creates its executions from then on.",
      example:
        'const { id, next_at } = await account.schedules.create({ name: "Invoices of the night", cron: "30 2 * * *", time_zone: "Europe/Berlin", key_id, execution: { agent_id, task_id } })'
    })
  )
  .annotate(OpenApi.Description, "Executions of an account that are created again and again.")
  .pipe(inAccount) {}
