/** What the palette leads to, and which of it a text means. Pure. */
import type { WebhookEndpoint } from "@runhook/sdk/admin"
import { endpointName } from "../../format/Choices.ts"
import { navigation } from "../Navigation.ts"
import { pathOf, pathTo } from "../Paths.ts"

export interface Entry {
  /** The address to go to; several entries never share one. */
  readonly href: string
  readonly title: string
  /** What it is: `Task`, `View` */
  readonly what: string
  /** Other texts that mean it: ids, slugs. */
  readonly also?: ReadonlyArray<string>
}

/** What the palette knows of the account beforehand. */
export interface Known {
  readonly tasks: ReadonlyArray<{ readonly id: string; readonly name: string; readonly slug: string }>
  readonly agents: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly endpoints: ReadonlyArray<Pick<WebhookEndpoint, "description" | "id" | "kind" | "url">>
  readonly keys: ReadonlyArray<{ readonly id: string; readonly name: string; readonly prefix: string }>
  readonly receivers: ReadonlyArray<{ readonly origin: string }>
  readonly schedules: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

/** Views, and what one goes to a view for. */
export const views: ReadonlyArray<Entry> = [
  ...navigation.map(({ path, title }) => ({ href: pathTo(path), title, what: "View" })),
  { href: pathTo("/keys/new"), title: "New API key", what: "Action" },
  { href: pathTo("/tasks/new"), title: "New task", what: "Action" },
  { href: pathTo("/test-webhook"), title: "Send test webhook", what: "Action" }
]

export const entriesOf = ({
  agents,
  endpoints,
  keys,
  receivers,
  schedules,
  tasks
}: Known): ReadonlyArray<Entry> => [
  ...tasks.map(({ id, name, slug }) => ({
    href: pathOf`/tasks/${id}`,
    title: name,
    what: "Task",
    also: [slug, id]
  })),
  ...agents.map(({ id, name }) => ({ href: pathOf`/agents/${id}`, title: name, what: "Agent", also: [id] })),
  ...schedules.map(({ id, name }) => ({
    href: pathOf`/schedules/${id}`,
    title: name,
    what: "Schedule",
    also: [id]
  })),
  ...endpoints.map((endpoint) => ({
    href: pathOf`/endpoints/${endpoint.id}`,
    title: endpointName(endpoint),
    what: "Endpoint",
    also: [endpoint.id]
  })),
  ...keys.map(({ id, name, prefix }) => ({
    href: pathOf`/keys/${id}`,
    title: name,
    what: "API key",
    also: [id, `rhlive_${prefix}`]
  })),
  ...receivers.map(({ origin }) => ({
    href: pathTo("/deliveries", { origin }),
    title: origin,
    what: "Receiver"
  }))
]

/** Most entries that are shown of those that are known beforehand. */
const shownMax = 8

/** 0 for the beginning, 1 for the beginning of a word, 2 for any other part; undefined for none. */
const rankOf = (title: string, part: string): number | undefined => {
  const at = title.toLowerCase().indexOf(part)
  if (at < 0) return undefined
  return at === 0 ? 0 : /[\p{L}\p{N}]/u.test(title[at - 1] ?? "") ? 2 : 1
}

/** A key as a whole has its secret in it: only the public part, `rhlive_<public>`, is looked for. */
const withoutSecret = (text: string): string => text.replace(/^(rhlive_[^_]*)_.*$/s, "$1")

/** Those of which a text means each word, the best first. */
export const matching = (entries: ReadonlyArray<Entry>, text: string): ReadonlyArray<Entry> => {
  const sought = withoutSecret(text).toLowerCase()
  const words = sought.split(/\s+/)
  return entries
    .flatMap((entry) => {
      const ranks = words.map((word) => rankOf(entry.title, word))
      const isAlso = entry.also?.some((each) => each.toLowerCase().startsWith(sought)) === true
      if (ranks.includes(undefined)) return isAlso ? [{ entry, rank: 1 }] : []
      return [{ entry, rank: ranks.reduce((sum: number, rank = 0) => sum + rank, 0) }]
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, shownMax)
    .map(({ entry }) => entry)
}

/** Whether a text may begin an id or a reference, so that the service is asked. */
export const isSearched = (text: string): boolean => text.length > 1 && !text.startsWith("rhlive_")

/** Lists to look through, where nothing leads to one thing. */
export const elsewhere = (text: string): ReadonlyArray<Entry> => {
  if (text.startsWith("rhlive_")) return []
  if (text.startsWith("req_"))
    return [{ href: pathTo("/audit", { q: text }), title: `Changes: ${text}`, what: "Audit log" }]
  const sent = {
    href: pathTo("/deliveries", { q: text }),
    title: `Sent to or as: ${text}`,
    what: "Deliveries"
  }
  return [sent]
}
