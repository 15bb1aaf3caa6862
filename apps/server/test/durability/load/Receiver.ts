/**
 * A receiver of callbacks. Each is on its disk before it is answered; what the
 * history tells of it is read from there. Sometimes it answers late, 500, or
 * breaks off, once for each execution at most.
 */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { type FileHandle, open, readFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import type { Chance } from "../Chance.ts"
import type { Receipt } from "../history/History.ts"
import { forgeryOf } from "./Forgery.ts"

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** Believes only what is signed by this. */
  trust(signingSecret: string): void
  /** Takes no connections. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  /** What its disk holds. */
  receipts(): Promise<ReadonlyArray<Receipt>>
}

/** One in so many executions has a callback that is not accepted at once. */
const oneInIsTrouble = 12

/** Milliseconds of a late answer. */
const late = 1_500

interface Options {
  readonly chance: Chance
  readonly directory: string
  readonly now: () => number
}

export const startReceiver = async ({ chance, directory, now }: Options): Promise<Receiver> => {
  const path = join(directory, "receipts")
  const file = await open(path, "a")
  const troubled = new Set<string>()
  let secret = ""

  const answerTo = (executionId: string): Receipt["answer"] => {
    if (troubled.has(executionId) || chance.between(1, oneInIsTrouble) > 1) return "taken"
    troubled.add(executionId)
    return chance.of(["refused", "late", "broken off"])
  }
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = now()
    const body = await buffer(request)
    const { event_id: eventId, execution, type } = JSON.parse(body.toString())
    const forgery = forgeryOf(request.headers, body, secret)
    const answer = answerTo(execution.id)
    const sha256 = createHash("sha256").update(body).digest("hex")
    const known = forgery === undefined ? {} : { forgery }
    await write(file, {
      is: "receipt",
      executionId: execution.id,
      eventId,
      type,
      sha256,
      ...known,
      answer,
      at
    })
    await give(response, answer)
  }
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void receive(request, response).catch(() => response.destroy())

  let server = createServer(listener)
  const port = await listen(server, 0)
  const goDown = async () => {
    const closed = once(server, "close")
    server.close()
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    trust: (signingSecret) => {
      secret = signingSecret
    },
    goDown,
    comeBack: async () => {
      server = createServer(listener)
      await listen(server, port)
    },
    receipts: async () => {
      const text = await readFile(path, "utf8")
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    },
    async [Symbol.asyncDispose]() {
      await goDown()
      await file.close()
    }
  }
}

const listen = async (server: Server, port: number): Promise<number> => {
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : port
}

const write = async (file: FileHandle, receipt: Receipt): Promise<void> => {
  await file.appendFile(`${JSON.stringify(receipt)}\n`)
  await file.datasync()
}

const give = async (response: ServerResponse, answer: Receipt["answer"]): Promise<void> => {
  if (answer === "broken off") return void response.destroy()
  if (answer === "late") await pause(late)
  response.writeHead(answer === "refused" ? 500 : 204).end()
}
