/** Sends the bytes of a file to a bucket, by a URL that was signed for them. */
import { Readable } from "node:stream"
import type { UploadGrant } from "@runhook/core/artifacts/ArtifactStorage"
import { StorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { request } from "undici"

/** Longest time for one file, and as long as its URL is valid. */
export const expiresIn = Duration.minutes(15)

/** The status of the store's answer. The bytes are read again for a second try. */
export const send = (
  { headers, method, url }: UploadGrant,
  sizeBytes: number,
  bytes: () => AsyncIterable<Uint8Array>
) =>
  Effect.tryPromise(async (signal) => {
    const body = sizeBytes === 0 ? "" : Readable.from(bytes())
    const sent = { ...headers, "content-length": String(sizeBytes) }
    const answer = await request(url, { method, headers: sent, body, signal, headersTimeout: 0 })
    await answer.body.dump()
    return answer.statusCode
  }).pipe(
    Effect.timeout(expiresIn),
    Effect.retry({ times: 1 }),
    // The words of the failure may hold the signed URL.
    Effect.catch(() => unanswered("an upload is not answered"))
  )

export const unanswered = (reason: string) => Effect.die(new StorageUnavailable({ reason }))
