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
  let name = "message"
  let id: string | undefined
  const data: Array<string> = []
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":")
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "")
    if (field === "event") name = value
    else if (field === "id") id = value
    else if (field === "data") data.push(value)
  }
  return data.length === 0 ? undefined : { name, data: data.join("\n"), id }
}
