/** What rules judge: a history, and what the database holds in the end. */
import type { ExecutionId } from "@runhook/core/shared/Ids"
import type { Run } from "@runhook/core/runs/Run"
import type { Tables } from "@runhook/store-memory/MemoryDatabase"
import type { Entry } from "../History.ts"
import type { Tenant } from "../Tenants.ts"

export interface Transcript {
  readonly entries: ReadonlyArray<Entry>
  readonly tables: Tables
  readonly tenants: ReadonlyArray<Tenant>
}

/** Names each breach of itself. */
export type Rule = (transcript: Transcript) => Iterable<string>

export type EntryOf<What extends Entry["what"]> = Extract<Entry, { readonly what: What }>

export const entriesOf = <What extends Entry["what"]>(
  { entries }: Transcript,
  what: What
): ReadonlyArray<EntryOf<What>> => entries.filter((entry): entry is EntryOf<What> => entry.what === what)

/** The runs of each execution as they were stored, one after the other. */
export const storedRuns = (transcript: Transcript): ReadonlyMap<ExecutionId, ReadonlyArray<Run>> =>
  Map.groupBy(
    entriesOf(transcript, "stored").map(({ run }) => run),
    ({ execution }) => execution.id
  )

/** Each with the one before it. */
export const pairs = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<readonly [Item, Item]> =>
  items.flatMap((item, index) => {
    const before = items[index - 1]
    return before === undefined ? [] : [[before, item] as const]
  })
