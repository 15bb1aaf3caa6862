/** Receivers of callbacks on loopback, each an origin of its own. */
import { createServer } from "node:http"
import { once } from "node:events"

export interface Options {
  readonly count: number
  /** Told the id of each event that comes, once it has come as a whole. */
  readonly onEvent: (id: string) => void
}

/** Starts receivers that answer 200 at once; answers their URLs. */
export const start = (
  { count, onEvent }: Options,
  resources: AsyncDisposableStack
): Promise<ReadonlyArray<string>> =>
  Promise.all(
    Array.from({ length: count }, () =>
      listen(resources, (id, answer) => {
        onEvent(id)
        answer()
      })
    )
  )

/** Starts one that takes requests and never answers. */
export const startHanging = (resources: AsyncDisposableStack): Promise<string> => listen(resources, () => {})

const listen = async (
  resources: AsyncDisposableStack,
  take: (id: string, answer: () => void) => void
): Promise<string> => {
  const server = createServer((request, response) => {
    const id = String(request.headers["x-webhook-event-id"])
    request.resume().once("end", () => take(id, () => response.end()))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  resources.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The receiver has no port")
  return `http://127.0.0.1:${address.port}/callbacks`
}
