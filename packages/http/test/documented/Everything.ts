/** An account in which there is one of everything, and the keys to ask for it. */
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import type { Operation } from "../Documented.ts"
import { someWork } from "../Tenant.ts"
import type { Known } from "./Requests.ts"

export const everything = Effect.gen(function* () {
  const work = yield* someWork
  const { integration, key, runnerKey } = work
  const sent = yield* integration.webhooks.test({
    params: {},
    payload: { callback_url: "https://hooks.example.com/" }
  })
  const artifact = yield* work.runner.runner.registerArtifact({
    params: { id: work.execution.id },
    payload: {
      epoch: work.claim.epoch,
      kind: "download",
      file_name: "a.txt",
      content_type: "text/plain",
      size_bytes: 1,
      sha256: "0".repeat(64)
    }
  })
  const target = { channel: "webhook", address: "https://hooks.example.com/" } as const
  const alertTarget = yield* integration.alerts.addTarget({ params: {}, payload: target })
  const schedule = yield* integration.schedules.create({
    params: {},
    payload: {
      name: "Nightly",
      every_seconds: 3_600,
      execution: { agent_id: work.agent.id, task_id: work.task.id }
    }
  })
  const endpoint = yield* integration.endpoints.create({ params: {}, payload: { kind: "poll" } })
  const replay = yield* integration.replays.begin({ params: {}, payload: {} })
  if (!("id" in replay)) return yield* Effect.die("it was only asked what it would do")
  const job = yield* integration.executions.cancelAll({
    params: {},
    headers: {},
    payload: { filter: { reference: "none" } }
  })
  if (job.job_id === null) return yield* Effect.die("it was only asked what it would do")
  const known: Known = {
    account_id: work.account.id,
    agent_id: work.agent.id,
    task_id: work.task.id,
    task_version_id: work.version.id,
    version_id: work.version.id,
    key_id: key.id,
    runner_key_id: runnerKey.id,
    session_id: work.session.session_id,
    execution_id: work.execution.id,
    artifact_id: artifact.artifact_id,
    alert_target_id: alertTarget.id,
    schedule_id: schedule.id,
    endpoint_id: endpoint.id,
    event_id: sent.event_id,
    replay_id: replay.id,
    job_id: job.job_id,
    epoch: work.claim.epoch
  }
  return { known, keyOf: keyFor({ key: key.key, runnerKey: runnerKey.key }) }
})

const keyFor =
  ({ key, runnerKey }: { readonly key: string; readonly runnerKey: string }) =>
  ({ path }: Operation): string =>
    path.startsWith("/api/v1/admin/") ? adminKey : path.startsWith("/api/v1/runner/") ? runnerKey : key
