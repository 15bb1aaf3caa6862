/**
 * A pooler before the database of a test, as PgBouncer is one: in transaction
 * mode each transaction gets the session that was last given back.
 */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TestDatabase } from "../TestDatabase.ts"
import { placeOf, urlBy } from "./Line.ts"

export interface PoolerOptions {
  readonly mode: "session" | "transaction"
  /** Parameters of a session that it knows; any other is refused. */
  readonly parameters: ReadonlyArray<string>
}

const usual = ["user", "database", "application_name", "client_encoding"]

/** The messages that a socket has sent so far, and what is left of one that is not complete. */
const messagesIn = (bytes: Buffer): { readonly messages: ReadonlyArray<Buffer>; readonly rest: Buffer } => {
  const messages: Array<Buffer> = []
  let at = 0
  while (bytes.length - at >= 5 && bytes.length - at > bytes.readUInt32BE(at + 1)) {
    const end = at + 1 + bytes.readUInt32BE(at + 1)
    messages.push(bytes.subarray(at, end))
    at = end
  }
  return { messages, rest: bytes.subarray(at) }
}

/** The names of the parameters with which a session is to begin. */
const namesIn = (startup: Buffer): ReadonlyArray<string> =>
  startup
    .subarray(8)
    .toString()
    .split("\0")
    .filter((_, place) => place % 2 === 0)
    .filter((name) => name !== "")

/** An ErrorResponse, as PgBouncer sends them. */
const refusal = (said: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${said}\0\0`)
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

const isReady = (message: Buffer) => message.toString("latin1", 0, 1) === "Z"
const isInTransaction = (message: Buffer) => message.toString("latin1", 5, 6) !== "I"
const isTerminate = (bytes: Buffer) => bytes.toString("latin1", 0, 1) === "X"

/** Where the pooler takes connections, until the scope ends. */
export const makePooler = Effect.fnUntraced(function* ({ mode, parameters }: PoolerOptions) {
  const url = new URL(Redacted.value((yield* TestDatabase).url))
  const known = new Set([...usual, ...parameters])
  const sockets = new Set<Socket>()
  /** Sessions that nobody has at the moment; the last one given back is taken first. */
  const free: Array<Session> = []

  class Session {
    readonly socket = connect(placeOf(url))
    client: Socket | undefined
    rest = Buffer.alloc(0)
    constructor(client: Socket, release: (session: Session) => void) {
      this.client = client
      sockets.add(this.socket)
      this.socket.on("error", () => {})
      this.socket.on("close", () => this.client?.destroy())
      this.socket.on("data", (bytes: Buffer) => {
        const { messages, rest } = messagesIn(Buffer.concat([this.rest, bytes]))
        this.rest = Buffer.from(rest)
        for (const message of messages) {
          this.client?.write(message)
          if (isReady(message) && !isInTransaction(message)) release(this)
        }
      })
    }
  }

  const server = createServer((client) => {
    sockets.add(client)
    let session: Session | undefined
    const release = (released: Session) => {
      if (mode === "session") return
      released.client = undefined
      session = undefined
      free.push(released)
    }
    client.on("error", () => {})
    client.on("close", () => mode === "session" && session?.socket.destroy())
    client.once("data", (startup: Buffer) => {
      const unknown = namesIn(startup).find((name) => !known.has(name))
      if (unknown !== undefined) return client.end(refusal(`unsupported startup parameter: ${unknown}`))
      session = new Session(client, release)
      session.socket.write(startup)
      client.on("data", (bytes: Buffer) => {
        if (isTerminate(bytes)) return
        session ??= free.pop()
        if (session === undefined) return client.destroy()
        session.client = client
        session.socket.write(bytes)
      })
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
  )
  return urlBy(url, (server.address() as AddressInfo).port)
})
