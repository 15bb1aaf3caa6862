/**
 * One attempt of the built-in runner: starts the claimed work, does it, uploads its
 * files, reports the outcome.
 */
import { StoredJson } from "@runhook/core/domain/json/StoredJson"
import type { RunnerKeyRecord } from "@runhook/core/domain/keys/RunnerKeyRecord"
import type { Outcome } from "@runhook/core/domain/run/EndMoves"
import { Artifacts } from "@runhook/core/usecases/Artifacts"
import type { Claim } from "@runhook/core/usecases/Polling"
import type { HeldRef } from "@runhook/core/usecases/RunnerScope"
import { Runs } from "@runhook/core/usecases/Runs"
import type { PageFetcher } from "@runhook/guarded-http/PageFetcher"
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import { pagePath } from "./DemoPaths.ts"
import { type CapturedFile, fetchPage, sha256 } from "./FetchPage.ts"
import { Params } from "./FetchPageTask.ts"

/**
 * Attempts claims with a runner key. Never fails: a failure is the outcome, and
 * without the lease there is nothing to report.
 */
export const make = Effect.fnUntraced(function* (key: RunnerKeyRecord) {
  const artifacts = yield* Artifacts
  const baseUrl = yield* BaseUrl
  const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
  const runs = yield* Runs
  const services = yield* Effect.context<PageFetcher>()

  const upload = Effect.fnUntraced(function* (ref: HeldRef, { bytes, ...file }: CapturedFile) {
    const { artifact, upload: grant } = yield* artifacts.register({
      ...ref,
      capture: {
        ...file,
        sizeBytes: bytes.byteLength,
        sha256: sha256(bytes),
        platformId: null,
        handler: null,
        startedOffsetMs: null
      }
    })
    yield* client.execute(
      HttpClientRequest.make(grant.method)(grant.url, { headers: grant.headers }).pipe(
        HttpClientRequest.bodyUint8Array(bytes, file.contentType)
      )
    )
    yield* artifacts.complete({ ...ref, artifactId: artifact.id })
  })

  const work = Effect.fnUntraced(function* (ref: HeldRef, claim: Claim) {
    const { url = baseUrl + pagePath } = yield* Schema.decodeUnknownEffect(Params)(claim.params.value)
    const { files, result } = yield* fetchPage(url)
    yield* Effect.forEach(files, (file) => upload(ref, file), { discard: true })
    return result
  })

  return Effect.fn("DemoAttempt")(
    function* (claim: Claim) {
      const { epoch, id } = claim.run.execution
      const ref = { key, id, epoch }
      yield* runs.start(ref)
      const outcome = yield* Effect.match(work(ref, claim), {
        onSuccess: (result): Outcome => ({ _tag: "Completed", result: StoredJson.of(result) }),
        onFailure: ({ message }): Outcome => ({ _tag: "Failed", message, isRetryable: false })
      })
      yield* runs.finish({ ...ref, outcome })
    },
    Effect.provide(services),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.logWarning("A demo attempt ended early", cause)
    )
  )
})
