/** Parses Server-Sent Events from a text that arrives in pieces. */

export interface SseEvent {
  readonly name: string
  readonly data: string
  /** The position behind it, if it has one. */
  readonly id: string | undefined
}

/** Takes the next piece, and returns the events that are complete by now. Comments are skipped. */
export const sseReader = (): ((piece: string) => ReadonlyArray<SseEvent>) => {
  let rest = ""
  return (piece) => {
    const blocks = (rest + piece).split("\n\n")
    rest = blocks.pop() ?? ""
    return blocks.map(eventOf).filter((event) => event !== undefined)
  }
}

const eventOf = (block: string): SseEvent | undefined => {
  const lines = block.split("\n").map((line) => /^([^:]*):? ?(.*)$/.exec(line) ?? [])
  const of = (name: string) => lines.filter(([, field]) => field === name).map(([, , value = ""]) => value)
  const data = of("data")
  return data.length === 0
    ? undefined
    : { name: of("event").at(-1) ?? "message", data: data.join("\n"), id: of("id").at(-1) }
}
