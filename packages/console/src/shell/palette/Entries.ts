/** What the palette leads to, and which of it a text means. Pure. */
import type { WebhookEndpoint } from "@runhook/sdk/admin"
import { endpointName, type Named } from "../../format/Choices.ts"
import { navigation } from "../Navigation.ts"
import { pathTo } from "../Paths.ts"

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
  readonly tasks: ReadonlyArray<Named & { readonly slug: string }>
  readonly agents: ReadonlyArray<Named>
  readonly endpoints: ReadonlyArray<Pick<WebhookEndpoint, "description" | "id" | "kind" | "url">>
  readonly keys: ReadonlyArray<Named & { readonly prefix: string }>
  readonly receivers: ReadonlyArray<{ readonly origin: string }>
  readonly schedules: ReadonlyArray<Named>
}

/** Views, and what one goes to a view for. */
export const views: ReadonlyArray<Entry> = [
  ...navigation.map(({ path, title }) => ({ href: pathTo(path), title, what: "View" })),
  { href: pathTo("/keys/new"), title: "New API key", what: "Action" },
  { href: pathTo("/tasks/new"), title: "New task", what: "Action" },
  { href: pathTo("/test-webhook"), title: "Send test webhook", what: "Action" }
]

/** A thing that has a page of its own. */
const thing = (what: string, list: string, { id, name }: Named, ...also: ReadonlyArray<string>): Entry => ({
  href: pathTo(`/${list}/${encodeURIComponent(id)}`),
  title: name,
  what,
  also: [id, ...also]
})

export const entriesOf = (known: Known): ReadonlyArray<Entry> => [
  ...known.tasks.map((task) => thing("Task", "tasks", task, task.slug)),
  ...known.agents.map((agent) => thing("Agent", "agents", agent)),
  ...known.schedules.map((schedule) => thing("Schedule", "schedules", schedule)),
  ...known.endpoints.map((each) => thing("Endpoint", "endpoints", { id: each.id, name: endpointName(each) })),
  ...known.keys.map((key) => thing("API key", "keys", key, `rhlive_${key.prefix}`)),
  ...known.receivers.map(({ origin }) => ({
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
  return [
    { href: pathTo("/deliveries", { q: text }), title: `Sent to or as: ${text}`, what: "Deliveries" },
    {
      href: pathTo("/executions", { contains: text }),
      title: `Search params and results for "${text}"`,
      what: "Executions"
    }
  ]
}
