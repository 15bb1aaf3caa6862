/** A bucket on loopback, storage in it, and how runners and browsers reach it. */
import type { LookupFunction } from "node:net"
import type { ArtifactStorage, UploadGrant } from "@runhook/core/artifacts/ArtifactStorage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { Agent, request } from "undici"
import type { Bucket } from "../../src/s3/Bucket.ts"
import * as S3Artifacts from "../../src/s3/S3Artifacts.ts"
import { accessKeyId, now, type S3Server, s3Server, secretAccessKey } from "@runhook/test-support/s3/S3Server"
import { testOn } from "@runhook/test-support/TestOn"

export class Server extends Context.Service<Server, S3Server>()("@runhook/artifacts/test/Server") {}

export const bucketAt = (port: number): Bucket => ({
  name: "files",
  prefix: "runhook/artifacts",
  region: "us-east-1",
  endpoint: `http://127.0.0.1:${port}`,
  addressing: "path",
  accessKeyId: Redacted.make(accessKeyId),
  secretAccessKey: Redacted.make(secretAccessKey),
  sessionToken: null,
  encryption: null
})

/** Every name is of this machine. */
export const lookup: LookupFunction = (_name, { all }, found) =>
  all ? found(null, [{ address: "127.0.0.1", family: 4 }]) : found(null, "127.0.0.1", 4)

/** Storage in a bucket of a server of its own, whose clock the test's follows, or is ahead of. */
export const layer = (
  differently: Partial<Bucket> = {},
  secondsAhead = 0
): Layer.Layer<ArtifactStorage | Server> => {
  const isVirtual = differently.addressing === "virtual"
  return Layer.unwrap(
    Effect.gen(function* () {
      const { port } = yield* Server
      yield* TestClock.setTime(now() + secondsAhead * 1_000)
      const bucket = { ...bucketAt(port), ...differently }
      const endpoint = isVirtual ? `http://s3.example.com:${port}` : bucket.endpoint
      return S3Artifacts.layer({ bucket: { ...bucket, endpoint }, lookup })
    })
  ).pipe(Layer.provideMerge(Layer.effect(Server, s3Server("files", { isVirtual }))))
}

export const test = testOn(layer())

const agent = new Agent({ connect: { lookup } })

export const sent = (grant: UploadGrant, body: Uint8Array) =>
  Effect.promise(() =>
    request(grant.url, { method: grant.method, headers: grant.headers, body, dispatcher: agent })
  )

export const loaded = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async () => {
    const answer = await request(url, { headers, dispatcher: agent })
    return { ...answer, bytes: new Uint8Array(await answer.body.arrayBuffer()) }
  })

const ifTaken = (status: number) => (status < 300 ? Effect.void : Effect.fail(status))

/** As runners and browsers send and load, for the suite that every storage passes. */
export const transfers = {
  send: Effect.fnUntraced(function* (grant: UploadGrant, body: Uint8Array) {
    const answer = yield* sent(grant, body)
    yield* Effect.promise(() => answer.body.dump())
    yield* ifTaken(answer.statusCode)
  }),
  load: Effect.fnUntraced(function* (url: string) {
    const { bytes, statusCode } = yield* loaded(url)
    yield* ifTaken(statusCode)
    return bytes
  })
}
