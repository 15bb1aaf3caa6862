/** What a runner is answered that lost its work, while another lease on it is held. */
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import * as Effect from "effect/Effect"
import { operations } from "../Documented.ts"
import { errorOf, jsonOf, sending } from "../Hosts.ts"
import { Host, test } from "../Service.ts"
import { makeClaim } from "../Tenant.ts"
import { file, pathOf, register } from "./Captures.ts"

const base = "/api/v1/runner/executions/{id}"

/** A body for each write that names an epoch, without it. */
const writes: Readonly<Record<string, JsonObject>> = {
  "/start": {},
  "/complete": { outcome: "completed", result: { pages: 1 } },
  "/release": { reason: "no paper" },
  "/inputs": {
    input_key: "code",
    prompt: "Which code?",
    schema: {},
    expires_in_s: 60,
    on_timeout: "error",
    mode: "hold"
  },
  "/checkpoint": { value: { page: 1 } },
  "/artifacts": file,
  "/artifacts/{artifactId}/complete": {}
}

/** Work that was claimed under epoch 1, with a file that was sent, and that another session has claimed and maybe started under epoch 3. */
const someFencedWork = Effect.fnUntraced(function* (progress: "claimed" | "started") {
  const work = yield* makeClaim()
  const { execution, held, runner, session } = work
  const host = yield* Host
  const { artifact_id, upload } = yield* register(work, file)
  yield* host(pathOf(upload.url), { method: upload.method, headers: upload.headers, body: "Page 1" })
  yield* runner.runner.closeSession({ params: { id: session.session_id } })
  const other = yield* runner.runner.openSession({
    payload: { instance_id: "cellar-2", runner_name: "Cellar", capacity: 4 }
  })
  const { claims } = yield* runner.runner.claim({
    payload: { session_id: other.session_id, claim_id: "claim-2", free_slots: 1, wait_ms: 0 }
  })
  const epoch = claims[0]?.epoch ?? assert.fail("The work was not claimed again")
  const now = { ...held, payload: { epoch } }
  if (progress === "started") yield* runner.runner.start(now)
  const urlOf = (path: string) =>
    (base + path).replace("{id}", execution.id).replace("{artifactId}", artifact_id)
  return { ...work, epoch, now, other, urlOf }
})

describe("a stale epoch while another lease is held, over the wire", () => {
  it("is tried at every operation of an execution that runners have", () => {
    const paths = operations.flatMap(({ path }) => (path.startsWith(base) ? [path.slice(base.length)] : []))

    assert.sameMembers(Object.keys(writes), paths)
  })

  test.each(
    Object.entries(writes).flatMap(([path, body]) =>
      (["claimed", "started"] as const).map((progress) => ({ path, body, progress }))
    )
  )("answers lease_lost, and lets the holder go on: $path, $progress", function* ({ body, path, progress }) {
    const { epoch, integration, now, execution, runner, runnerKey, urlOf } = yield* someFencedWork(progress)
    const host = yield* Host
    const seen = integration.executions.get({ params: execution, query: {} })
    const { request_id: _, ...before } = yield* seen
    const send = (stale: number) => {
      const { headers, ...post } = sending("POST", JSON.stringify({ ...body, epoch: stale }))
      return host(urlOf(path), {
        ...post,
        headers: { ...headers, authorization: `Bearer ${runnerKey.key}` }
      })
    }

    for (const stale of [1, 2, epoch + 1]) {
      const answer = yield* send(stale)

      const { code, details } = yield* errorOf(answer)
      const status = progress === "started" ? "running" : "queued"
      assert.deepStrictEqual([answer.status, code], [409, "invalid_request"])
      assert.deepStrictEqual(details, { reason: "lease_lost", status, epoch })
      const { request_id: __, ...after } = yield* seen
      assert.deepStrictEqual(after, before)
    }
    yield* runner.runner.start(now)
    const { status } = yield* runner.runner.complete({
      ...now,
      payload: { ...now.payload, outcome: "completed", result: { pages: 2 } }
    })
    assert.strictEqual(status, "completed")
  })

  test.each(["claimed", "started"] as const)(
    "changes nothing by an outcome that comes with a claim: %s",
    function* (progress) {
      const { epoch, execution, integration, other, runner } = yield* someFencedWork(progress)
      const seen = integration.executions.get({ params: execution, query: {} })
      const { request_id: _, ...before } = yield* seen
      const stale = [1, 2, epoch + 1].map((each) => ({ execution_id: execution.id, epoch: each }))

      const { outcomes } = yield* runner.runner.claim({
        payload: {
          session_id: other.session_id,
          claim_id: "claim-3",
          free_slots: 0,
          outcomes: stale.map((ref) => ({ ...ref, outcome: "completed", result: { pages: 1 } }))
        }
      })

      const { request_id: __, ...after } = yield* seen
      const status = progress === "started" ? "running" : "queued"
      assert.deepStrictEqual(
        outcomes.map((told) => (told.accepted ? told : [told.http_status, told.error.details])),
        stale.map(() => [409, { reason: "lease_lost", status, epoch }])
      )
      assert.deepStrictEqual(after, before)
    }
  )

  test("tells a beat that the work is lost, and extends nothing", function* () {
    const { epoch, execution, other, runnerKey } = yield* someFencedWork("started")
    const host = yield* Host
    const { headers, ...post } = sending(
      "POST",
      JSON.stringify({
        session_id: other.session_id,
        beats: [{ execution_id: execution.id, epoch: epoch - 2 }]
      })
    )

    const answer = yield* host("/api/v1/runner/heartbeats", {
      ...post,
      headers: { ...headers, authorization: `Bearer ${runnerKey.key}` }
    })

    assert.deepInclude(yield* jsonOf(answer), {
      leases: [],
      lost: [{ execution_id: execution.id, epoch: epoch - 2 }]
    })
  })
})
