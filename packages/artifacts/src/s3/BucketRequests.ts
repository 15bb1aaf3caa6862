/**
 * The service's own requests to a bucket. Each is bounded in time and bytes, and so
 * is their number; while they wait for a turn, accounts take turns.
 */
import type { LookupFunction } from "node:net"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import type * as Scope from "effect/Scope"
import { Pool } from "undici"
import { type Bucket, originOf, urlOf } from "./Bucket.ts"
import { type BucketFault, refusal, tooLong, tooSlow, unreached } from "./BucketFault.ts"
import { signedHeaders, type Unsigned } from "./Signature.ts"

/** Longest time for one request, with the wait for its turn and one repetition. */
export const timeLimit = Duration.seconds(10)

/** Requests that are open at once. */
export const requestsMax = 16

/** Bytes of an answer: the memory that one download takes. */
export const answerBytesMax = 512 * 1024

export interface BucketRequest {
  readonly method: Unsigned["method"]
  readonly key: string
  /** Default: that of the key. */
  readonly url?: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface BucketAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly bytes: Uint8Array
}

export interface BucketRequests {
  /** The answer, which a missing object is too: 404. */
  send(request: BucketRequest): Effect.Effect<BucketAnswer, BucketFault>
}

interface Options {
  readonly bucket: Bucket
  /** How the store's name is resolved; undefined for the system's way. */
  readonly lookup: LookupFunction | undefined
}

/** Its connections end with the scope. */
export const make = ({ bucket, lookup }: Options): Effect.Effect<BucketRequests, never, Scope.Scope> =>
  Effect.gen(function* () {
    const origin = originOf(bucket)
    const turns = yield* PartitionedSemaphore.make<string>({ permits: requestsMax })
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new Pool(origin, { connections: requestsMax, connect: lookup ? { lookup } : {} })),
      (each) => Effect.promise(() => each.destroy())
    )

    /** Undefined for an answer that is too long. */
    const exchange = async (
      { body, headers = {}, key, method, url = urlOf(bucket, key) }: BucketRequest,
      at: DateTime.Utc,
      signal: AbortSignal
    ): Promise<BucketAnswer | undefined> => {
      const answer = await pool.request({
        method,
        path: url.pathname + url.search,
        headers: await signedHeaders(bucket, { method, url, headers, at }),
        body: body ?? null,
        signal
      })
      const pieces: Array<Uint8Array> = []
      let count = 0
      for await (const piece of answer.body) {
        count += piece.length
        // Leaving the loop cuts the connection.
        if (count > answerBytesMax) return undefined
        pieces.push(piece)
      }
      return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(pieces) }
    }

    const attempt = Effect.fnUntraced(function* (request: BucketRequest) {
      const at = yield* DateTime.now
      const answer = yield* Effect.tryPromise({
        try: (signal) => exchange(request, at, signal),
        catch: (cause) => unreached(origin, cause)
      })
      if (answer === undefined) return yield* tooLong(origin)
      const { status } = answer
      const code = codeOf(answer)
      const isMissing = status === 404 && code !== "NoSuchBucket"
      if (status < 300 || isMissing) return answer
      return yield* refusal({ status, code, secondsAhead: secondsAhead(answer, at) })
    })

    return {
      send: (request) =>
        attempt(request).pipe(
          // All requests may be repeated: the pool's connection may just have been closed, and stores ask for it.
          Effect.retry({ times: 1, while: ({ isMomentary }) => isMomentary }),
          turns.withPermit(accountOf(request)),
          Effect.timeoutOrElse({ duration: timeLimit, orElse: () => Effect.fail(tooSlow(origin)) })
        )
    }
  })

/** Keys begin with the account. */
const accountOf = ({ key }: BucketRequest): string => key.split("/", 1)[0] ?? ""

/** The reason that a refusal gives: a word in XML. */
const codeOf = ({ bytes, status }: BucketAnswer): string | undefined =>
  status < 300 ? undefined : /<Code>([A-Za-z]{1,64})<\/Code>/.exec(new TextDecoder().decode(bytes))?.[1]

const secondsAhead = ({ headers: { date } }: BucketAnswer, at: DateTime.Utc): number | undefined => {
  const said = typeof date === "string" ? Date.parse(date) : NaN
  return Number.isNaN(said) ? undefined : Math.round((said - at.epochMilliseconds) / 1_000)
}
