/** A proxy before PostgreSQL that counts the statements a program executes. */
import { once } from "node:events"
import { connect, createServer } from "node:net"

export interface Statements {
  /** Where the program finds the database. */
  readonly url: string
  /** How many so far. */
  readonly count: () => number
}

/** In the protocol of PostgreSQL: runs a statement that was prepared, and runs a text. */
const executing = new Set(["E", "Q"].map((type) => type.charCodeAt(0)))

/** Of a message after the first: its type, and its length, which counts itself. */
const headBytes = 5

/** Reads the messages of one connection, however they are cut. The first has no type. */
const reader = (onStatement: () => void) => {
  let pending = Buffer.alloc(0)
  let isFirst = true
  return (chunk: Buffer): void => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const start = isFirst ? 0 : 1
      if (pending.length < headBytes) return
      const end = start + pending.readUInt32BE(start)
      if (pending.length < end) return
      if (!isFirst && executing.has(pending.readUInt8(0))) onStatement()
      isFirst = false
      pending = pending.subarray(end)
    }
  }
}

/** Stands before the database of this URL until the resources end. */
export const start = async (databaseUrl: string, resources: AsyncDisposableStack): Promise<Statements> => {
  const url = new URL(databaseUrl)
  // A name, or the folder of a socket.
  const host = decodeURIComponent(url.hostname)
  const port = Number(url.port || 5432)
  const database = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { port, host }
  let count = 0
  const server = createServer((program) => {
    const read = reader(() => {
      count++
    })
    const behind = connect(database)
    program.on("data", read).pipe(behind).pipe(program)
    // Whichever leaves first takes the other with it.
    program.on("error", () => {}).once("close", () => behind.destroy())
    behind.on("error", () => {}).once("close", () => program.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  resources.defer(() => new Promise((resolve) => server.close(() => resolve())))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("There is no port to count at")
  url.hostname = "127.0.0.1"
  url.port = String(address.port)
  return { url: url.href, count: () => count }
}
