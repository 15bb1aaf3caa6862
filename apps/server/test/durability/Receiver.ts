/** A webhook receiver that remembers which events it was told of. */
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** The types of the events told of an execution, each event once however often it came. */
  typesOf(executionId: string): ReadonlyArray<string>
}

export const startReceiver = async (): Promise<Receiver> => {
  /** The types of events by their ids, for each execution. */
  const told = new Map<string, Map<string, string>>()
  const server = createServer(async (request, response) => {
    const { event_id, execution, type } = JSON.parse(await text(request))
    const events = told.get(execution.id) ?? new Map()
    told.set(execution.id, events.set(event_id, type))
    response.end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}/`,
    typesOf: (executionId) => [...(told.get(executionId)?.values() ?? [])],
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    }
  }
}
