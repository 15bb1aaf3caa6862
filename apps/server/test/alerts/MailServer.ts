/** A mail server on this machine, real down to the socket. */
import { once } from "node:events"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

export interface Mail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  /** As it was sent, headers first. */
  readonly text: string
  readonly isSecure: boolean
}

/** A refusal of the server. */
export const refusing = (responseCode: number, words: string) =>
  Object.assign(new Error(words), { responseCode })

/** Starts a mail server, which takes every mail unless it is told otherwise. It ends with the scope. */
export const mailServer = Effect.fnUntraced(function* (options: SMTPServerOptions = {}) {
  const mails = yield* Queue.unbounded<Mail>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData: (stream, { envelope, secure }, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        Queue.offerUnsafe(mails, {
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
          isSecure: secure
        })
        done()
      })
    },
    ...options
  })
  server.on("error", () => undefined)
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () => Effect.promise(() => new Promise<void>((resolve) => server.close(resolve)))
  )
  const address = server.server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    /** What came in, oldest first. */
    mails,
    /** Connections that are open. */
    connections: Effect.sync(() => server.connections.size)
  }
})

/** For the address 0.0.0.0, signed by itself. Made for these tests, of use for nothing else. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBpzCCAUygAwIBAgIUGT7QFa6iJSJVRLIYDk5XcMEvRtAwCgYIKoZIzj0EAwIw
HzEdMBsGA1UEAwwUbWFpbCBzZXJ2ZXIgb2YgdGVzdHMwIBcNMjYxMTI0MTA1MjI2
WhgPMjEyNjEwMzExMDUyMjZaMB8xHTAbBgNVBAMMFG1haWwgc2VydmVyIG9mIHRl
c3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEb7Sy+OyC3QhSh90H4qbmkIwe
32cjkQdVA2JEAMc882Or0hXv0rFfkoDaOCvlEwM7tvVjQb/2afFQJQZPV3Z0RqNk
MGIwHQYDVR0OBBYEFNbyrxMKpz77Hb3Gykuw9XUc0vEZMB8GA1UdIwQYMBaAFNby
rxMKpz77Hb3Gykuw9XUc0vEZMA8GA1UdEwEB/wQFMAMBAf8wDwYDVR0RBAgwBocE
AAAAADAKBggqhkjOPQQDAgNJADBGAiEA0kTXul5nE69swDMOaVpcUdRcxhHHCkqq
UX76hIAtdFoCIQCPYv1rN/NphSiphkVewFQmZmd90xpuP43BTKL/tqk+Zw==
-----END CERTIFICATE-----
`

export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoRK/HJZa7+HXsbRA
ZfEDet00PeMZWKBYLQo/ntnOTxehRANCAARvtLL47ILdCFKH3QfipuaQjB7fZyOR
B1UDYkQAxzzzY6vSFe/SsV+SgNo4K+UTAzu29WNBv/Zp8VAlBk9XdnRG
-----END PRIVATE KEY-----
`
