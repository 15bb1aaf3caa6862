/**
 * An S3 server on loopback: s3rver, which checks signatures, and in front of it what
 * it does not do. It checks the SHA-256 of uploads and answers it, and the time of
 * requests, as Amazon's S3 does, and can be made slow or full.
 */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import S3rver from "@20minutes/s3rver"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { request } from "undici"

/** The only key that s3rver knows. */
export const accessKeyId = "S3RVER"
export const secretAccessKey = "S3RVER"

export interface S3Server {
  port: number
  /** Requests so far, by method and object, with what they asked for. */
  readonly seen: Array<Pick<IncomingMessage, "headers"> & { readonly method: string; readonly path: string }>
  /**
   * How it answers: `slow` when it is `good` again, `full` takes nothing, `careless` does not look at digests,
   * `generous` gives twice what was asked for.
   */
  mood: "careless" | "full" | "generous" | "good" | "slow"
  /** How many keys it names on a page, of those that were asked for: a store may give fewer. */
  keysOnPage: number
  /** With what it refuses the next requests. */
  readonly refusals: Array<readonly [status: number, code: string]>
  /** Waits until so many requests have come. */
  until(count: number): Effect.Effect<void>
  /** Answers what waits. */
  release(): void
}

const methods = ["DELETE", "HEAD", "PUT"] as const

const digestHeader = "x-amz-checksum-sha256"

const digestOf = (body: Uint8Array): string => createHash("sha256").update(body).digest("base64")

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`)
}

/**
 * The beginning of a list. s3rver itself answers 500 where there are more keys than were asked for: its token for the
 * next page takes a cipher (DES) that Node's OpenSSL does not have.
 */
const pageOf = (list: Buffer, keys: number): Buffer => {
  const [head = "", ...contents] = list.toString().split(/(?=<Contents>)/)
  if (contents.length <= keys) return list
  const cut = head.replace("<IsTruncated>false<", "<IsTruncated>true<") + contents.slice(0, keys).join("")
  return Buffer.from(`${cut}</ListBucketResult>`)
}

/** The time of the machine, whatever the test's clock says. */
export const now = (): number => Math.round(performance.timeOrigin + performance.now())

/** Whether a request was signed by a clock that is more than 15 minutes off. */
const isFarOff = (signedAt: string | ReadonlyArray<string> | undefined): boolean => {
  const at = /^(....)(..)(..T..)(..)(..Z)$/.exec(String(signedAt))
  return at !== null && Math.abs(now() - Date.parse(`${at[1]}-${at[2]}-${at[3]}:${at[4]}:${at[5]}`)) > 900_000
}

const listening = async (server: Server): Promise<number> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const closing = (server: Server): void => {
  server.close()
  server.closeAllConnections()
}

/**
 * Runs until the scope ends. It has one bucket. Signatures of requests to virtual
 * hosts do not count: s3rver expects the bucket in them, which Amazon does not.
 */
export const s3Server = (
  bucket: string,
  { isVirtual = false } = {}
): Effect.Effect<S3Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "runhook-s3-"))),
      (each) => Effect.promise(() => rm(each, { recursive: true, force: true }))
    )
    const s3rver = new S3rver({
      directory,
      serviceEndpoint: "example.com",
      silent: true,
      allowMismatchedSignatures: isVirtual,
      configureBuckets: [{ name: bucket, configs: [] }]
    })
    const store = createServer(s3rver.callback())
    const digests = new Map<string, string>()
    const held: Array<() => void> = []
    const self: S3Server = {
      port: 0,
      seen: [],
      mood: "good",
      keysOnPage: Infinity,
      refusals: [],
      until: (count) =>
        Effect.promise(async () => {
          while (self.seen.length < count) await once(front, "request")
        }),
      release: () => held.splice(0).forEach((answerIt) => answerIt())
    }

    const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { headers, method = "", url = "" } = incoming
      const path = url.split("?", 1)[0] ?? ""
      self.seen.push({ method, path, headers })
      const body = await buffer(incoming)
      if (self.mood === "slow") await new Promise<void>((resume) => held.push(resume))
      const [refusal] = self.refusals.splice(0, 1)
      if (refusal !== undefined) return refuse(response, ...refusal)
      if (isFarOff(headers["x-amz-date"])) return refuse(response, 403, "RequestTimeTooSkewed")
      if (method === "PUT" && self.mood === "full") return refuse(response, 507, "XMinioStorageFull")
      const announced = self.mood === "careless" ? undefined : headers[digestHeader]
      if (announced !== undefined && announced !== digestOf(body)) return refuse(response, 400, "BadDigest")

      const { connection: _, ...sent } = headers
      const answered = await request(`http://127.0.0.1:${storePort}${url}`, {
        method: methods.find((each) => each === method) ?? "GET",
        headers: sent,
        body: method === "PUT" ? body : null
      })
      const whole = Buffer.from(await answered.body.arrayBuffer())
      const given = url.includes("list-type=2") ? pageOf(whole, self.keysOnPage) : whole
      const bytes = self.mood === "generous" ? Buffer.concat([given, given]) : given
      if (announced !== undefined && answered.statusCode === 200) digests.set(path, announced)
      const digest = announced ?? (headers["x-amz-checksum-mode"] === "ENABLED" && digests.get(path))
      const { "transfer-encoding": __, ...kept } = answered.headers
      if (bytes.length !== whole.length) delete kept["content-length"]
      response
        .writeHead(answered.statusCode, { ...kept, ...(digest && { [digestHeader]: digest }) })
        .end(bytes)
    }
    const storePort = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        await s3rver.configureBuckets()
        return await listening(store)
      }),
      () => Effect.sync(() => closing(store))
    )
    const front = createServer((incoming, response) => void answer(incoming, response))
    self.port = yield* Effect.acquireRelease(
      Effect.promise(() => listening(front)),
      () => Effect.sync(() => closing(front))
    )
    return self
  })
