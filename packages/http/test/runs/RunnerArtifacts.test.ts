import { assert, describe, it } from "@effect/vitest"
import { ArtifactId } from "@runhook/core/shared/Ids"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { ArtifactQuota } from "@runhook/core/Settings"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { errorOf, sending } from "../Hosts.ts"
import { Host, refusalOf, service, test } from "../Service.ts"
import { someWork } from "../Tenant.ts"
import { file, makeCapture, pathOf, register, seen, video } from "./Captures.ts"

describe("the files of a run, over the wire", () => {
  test("come from the runner to the caller byte for byte", function* () {
    const work = yield* someWork
    const host = yield* Host
    const id = yield* makeCapture(work, file)

    const { prints } = yield* work.integration.executions.get({ params: work.execution, query: {} })
    const [print] = prints
    const redirect = yield* host(pathOf(print?.url ?? ""), {
      headers: { authorization: `Bearer ${work.key.key}` }
    })
    const download = yield* host(pathOf(redirect.headers.get("location") ?? ""))

    assert.deepInclude(print, { id, file_name: "invoice.txt", content_type: "text/plain", size_bytes: 6 })
    assert.strictEqual(redirect.status, 302)
    assert.strictEqual(yield* Effect.promise(() => download.text()), "Page 1")
  })

  test("show videos under signed URLs only", function* () {
    const work = yield* someWork
    const host = yield* Host
    yield* makeCapture(work, video)

    const { prints, videos } = yield* work.integration.executions.artifacts({ params: work.execution })

    const played = yield* host(pathOf(videos[0]?.signed_url ?? ""))
    assert.deepStrictEqual([prints.length, videos.length, videos[0]?.expires_in_seconds], [0, 1, 300])
    assert.deepInclude(videos[0], seen)
    assert.strictEqual(yield* Effect.promise(() => played.text()), "Page 1")
  })

  test("say where a video comes from, each field of it, and nothing of the kind for other files", function* () {
    const { held, runnerKey } = yield* someWork
    const host = yield* Host
    const told = Effect.fnUntraced(function* (announced: object) {
      const { headers, ...rest } = sending("POST", JSON.stringify({ ...held.payload, ...announced }))
      const answer = yield* host(`/api/v1/runner/executions/${held.params.id}/artifacts`, {
        ...rest,
        headers: { ...headers, authorization: `Bearer ${runnerKey.key}` }
      })
      return [answer.status, (yield* errorOf(answer)).message]
    })

    assert.deepStrictEqual(
      yield* Effect.forEach(
        [
          { ...video, handler: undefined },
          { ...video, platform_id: undefined, started_offset_ms: undefined },
          { ...file, ...seen }
        ],
        told
      ),
      [
        [400, "body.handler: is required with the kind video"],
        [400, "body.platform_id: is required with the kind video (and 1 more)"],
        [400, "body.platform_id: is for videos only (and 2 more)"]
      ]
    )
  })

  test("are not shown before their bytes came", function* () {
    const work = yield* someWork
    const { artifact_id } = yield* register(work, file)

    const refusal = yield* refusalOf(
      work.runner.runner.completeArtifact({
        params: { ...work.held.params, artifactId: artifact_id },
        payload: work.held.payload
      })
    )

    const { prints } = yield* work.integration.executions.get({ params: work.execution, query: {} })
    assert.deepStrictEqual(refusal.details, { reason: "not_uploaded" })
    assert.deepStrictEqual(prints, [])
  })

  it.effect("are refused once their account has no room for them", () =>
    Effect.gen(function* () {
      const { held, runnerKey, ...work } = yield* someWork
      const host = yield* Host
      yield* register({ held, runnerKey, ...work }, file)
      const { headers, ...rest } = sending(
        "POST",
        JSON.stringify({ ...held.payload, ...file, file_name: "b.txt" })
      )

      const answer = yield* host(`/api/v1/runner/executions/${held.params.id}/artifacts`, {
        ...rest,
        headers: { ...headers, authorization: `Bearer ${runnerKey.key}` }
      })

      assert.strictEqual(answer.status, 422)
      assert.deepInclude(yield* errorOf(answer), {
        code: "invalid_request",
        message: "The account has 6 of 10 bytes in artifacts: there is no room for this one",
        details: { reason: "artifact_quota", limit: 10, used: 6 }
      })
    }).pipe(Effect.provide(Layer.fresh(service).pipe(Layer.provide(Layer.succeed(ArtifactQuota, 10)))))
  )

  test("are unknown once they were forgotten, since their bytes never came", function* () {
    const { execution, held, integration, runner, ...work } = yield* someWork
    const { artifact_id } = yield* register({ execution, held, integration, runner, ...work }, file)
    yield* integration.executions.cancel({ params: execution, payload: null })
    const at = DateTime.add(yield* DateTime.now, { days: 2 })
    yield* SweepStore.use((store) => store.prune("uploads", { at, limit: 10 }))
    const complete = (artifactId: ArtifactId) =>
      refusalOf(
        runner.runner.completeArtifact({ params: { ...held.params, artifactId }, payload: held.payload })
      )

    const forgotten = yield* complete(artifact_id)
    const unknown = yield* complete(ArtifactId.make(execution.id))

    assert.strictEqual(forgotten.code, "not_found")
    assert.deepStrictEqual([forgotten.code, forgotten.details], [unknown.code, unknown.details])
  })

  test("are registered once, however often an equal request comes", function* () {
    const work = yield* someWork
    const first = yield* register(work, file)

    const again = yield* register(work, file)

    assert.strictEqual(again.artifact_id, first.artifact_id)
    assert.strictEqual(again.upload.expires_in_s, 900)
  })
})
