/**
 * What proxies wrote about whom they heard: in `X-Forwarded-For`, or else in `Forwarded` (RFC 7239). Each proxy adds
 * an element at the end, so both are read from there: what a caller sent before it changes nothing.
 */
import type { Headers } from "effect/http/Headers"

/**
 * Whom the proxy heard that stands at this place, where 1 is the nearest: an address without its port, or what cannot
 * be read as one. Undefined if fewer proxies wrote.
 */
export const heardBy = (headers: Headers, place: number): string | undefined => {
  const list = headers["x-forwarded-for"]
  const element = elementFromEnd(list ?? headers["forwarded"] ?? "", place)
  if (element === undefined) return undefined
  return hostOf(list === undefined ? forOf(element) : element)
}

/** An element of a list, counted from its end; a comma in quotes parts nothing, and empty elements do not count. */
const elementFromEnd = (list: string, place: number): string | undefined => {
  let end = list.length
  let isQuoted = false
  let left = place
  for (let at = end - 1; at >= -1; at--) {
    if (list[at] === '"') isQuoted = !isQuoted
    if (at >= 0 && (isQuoted || list[at] !== ",")) continue
    const element = list.slice(at + 1, end).trim()
    end = at
    if (element !== "" && --left === 0) return element
  }
  return undefined
}

const pairs = /([^\s=;"]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;"]*)/g

/** The node of an element of `Forwarded`: `for=192.0.2.60;proto=http`. Empty if it names none. */
const forOf = (element: string): string => {
  for (const [, name = "", value = ""] of element.matchAll(pairs)) {
    if (name.toLowerCase() === "for") return value
  }
  return ""
}

/** The host of `host`, `host:port`, `[host]` and `[host]:port`, in quotes or without. */
const hostOf = (node: string): string => {
  const text = /^"(.*)"$/.exec(node)?.[1]?.replaceAll(/\\(.)/g, "$1").trim() ?? node
  return (
    /^\[([^\]]+)\](?::[\w.-]+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):[\w.-]+$/.exec(text)?.[1] ?? text
  )
}
