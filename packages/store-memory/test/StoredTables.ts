/** What a store in memory keeps, for tests that say that nothing has changed. */
import type { AccountId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { MemoryDatabase } from "../src/MemoryDatabase.ts"

/** All tables but that of the sessions; of the runs those of the account. They are copied, since rows are never changed but replaced. */
export const storedTables = (accountId: AccountId) =>
  Effect.map(MemoryDatabase, ({ deliveries, runs, ...tables }) => ({
    ...Object.fromEntries(
      Object.entries(Struct.omit(tables, ["sessions"])).map(([name, table]) => [name, [...table.entries()]])
    ),
    deliveries: Array.from(deliveries.values()),
    runs: Array.from(runs.index.ofAccount.of(accountId))
  }))
