/** What stores send to a coordinator, as it goes over the wire, and how Citus goes about it. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { placeOf, urlBy } from "../connections/Line.ts"
import { TestDatabase } from "../TestDatabase.ts"

/** A statement, and the values that it was sent with. */
export interface Sent {
  readonly text: string
  /** The types of its values, as its Parse had them. */
  readonly types: Buffer
  /** What its Bind had after the names. */
  readonly values: Buffer
}

export class Asked extends Context.Service<
  Asked,
  {
    /** The same database, where everything that is sent is seen. */
    readonly url: Redacted.Redacted
    /** What something has sent. */
    sentBy<E, R>(doing: Effect.Effect<unknown, E, R>): Effect.Effect<ReadonlyArray<Sent>, E, R>
    /** How Citus goes about a statement with these values, if it tells. */
    planOf(sent: Sent): Effect.Effect<string | undefined>
  }
>()("@runhook/store-pg/test/citus/Asked") {
  static readonly layer = Layer.effect(
    Asked,
    Effect.gen(function* () {
      const url = new URL(Redacted.value((yield* TestDatabase).url))
      const seen: Array<Sent> = []
      const port = yield* watching(url, (sent) => seen.push(sent))
      return Asked.of({
        url: urlBy(url, port),
        sentBy: Effect.fnUntraced(function* (doing) {
          seen.length = 0
          yield* doing
          return [...seen]
        }),
        planOf: (sent) => Effect.promise(() => explained(url, sent))
      })
    })
  )
}

/** A line to a database, until the scope ends; answers its port. */
const watching = Effect.fnUntraced(function* (url: URL, saw: (sent: Sent) => void) {
  const ends = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(placeOf(url))
    const texts = new Map<string, Pick<Sent, "text" | "types">>()
    client.on(
      "data",
      messagesOf("client", (type, body) => {
        const [name, afterName] = wordsAt(body, 0)
        const [second, rest] = wordsAt(body, afterName)
        if (type === "P") texts.set(name, { text: second, types: body.subarray(rest) })
        const parsed = type === "B" ? texts.get(second) : undefined
        if (parsed !== undefined) saw({ ...parsed, values: body.subarray(rest) })
      })
    )
    client.pipe(database).pipe(client)
    for (const end of [client, database]) {
      ends.add(end)
      end.on("error", () => {})
      end.on("close", () => [client, database].forEach((each) => each.destroy()))
    }
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        for (const end of ends) end.destroy()
        server.close()
      })
  )
  return (server.address() as AddressInfo).port
})

/** Asks on a connection of its own, since a driver would choose the types of the values anew. */
const explained = async (url: URL, { text, types, values }: Sent): Promise<string | undefined> => {
  const socket = connect(placeOf(url))
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      const lines: Array<string> = []
      let isAsked = false
      socket.on("error", reject)
      socket.on(
        "data",
        messagesOf("server", (type, body) => {
          // Of a row with one column, its text.
          if (type === "D") lines.push(body.toString("utf8", 6))
          if (type === "E") resolve(undefined)
          if (type !== "Z") return
          if (isAsked) return resolve(lines.join("\n"))
          isAsked = true
          socket.write(
            Buffer.concat([
              message("P", Buffer.from(`\0EXPLAIN (VERBOSE, COSTS OFF) ${text}\0`), types),
              message("B", Buffer.from("\0\0"), values),
              message("E", Buffer.alloc(5)),
              message("S")
            ])
          )
        })
      )
      const session = `user\0${url.username}\0database\0${url.pathname.slice(1)}\0\0`
      socket.write(message("", Buffer.from([0, 3, 0, 0]), Buffer.from(session)))
    })
  } finally {
    socket.destroy()
  }
}

const message = (type: string, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const body = Buffer.concat(parts)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

/** Words up to a zero, and where they end. */
const wordsAt = (body: Buffer, at: number): readonly [words: string, next: number] => {
  const end = body.indexOf(0, at)
  return end < 0 ? ["", body.length] : [body.toString("utf8", at, end), end + 1]
}

/** Takes the messages out of what arrives from one side. The first of a client has no type. */
const messagesOf = (side: "client" | "server", saw: (type: string, body: Buffer) => void) => {
  let bytes: Buffer = Buffer.alloc(0)
  let typeLength = side === "client" ? 0 : 1
  return (more: Buffer): void => {
    bytes = Buffer.concat([bytes, more])
    while (bytes.length >= typeLength + 4 && bytes.length >= typeLength + bytes.readUInt32BE(typeLength)) {
      const end = typeLength + bytes.readUInt32BE(typeLength)
      const [type, body] = [bytes.toString("latin1", 0, typeLength), bytes.subarray(typeLength + 4, end)]
      bytes = bytes.subarray(end)
      typeLength = 1
      saw(type, body)
    }
  }
}
