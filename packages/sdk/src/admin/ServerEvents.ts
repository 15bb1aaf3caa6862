/** Reads Server-Sent Events. */

export interface ServerEvent {
  readonly event: string
  /** Null for an event without one. */
  readonly id: string | null
  readonly data: string
}

/** Comments between events, which show that the connection is alive, come as null. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent | null> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) yield eventIn(block)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const eventIn = (block: string): ServerEvent | null => {
  const fields = new Map(block.split("\n").map(fieldIn))
  const data = fields.get("data")
  return data === undefined
    ? null
    : { event: fields.get("event") ?? "message", id: fields.get("id") ?? null, data }
}

const fieldIn = (line: string): readonly [name: string, value: string] => {
  const end = line.indexOf(":")
  return [line.slice(0, end), line.slice(end + 1).replace(/^ /, "")]
}
