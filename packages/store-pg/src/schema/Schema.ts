/** All tables, in the order in which they are made. */
import { accounts } from "./Accounts.ts"
import { alerts } from "./Alerts.ts"
import { artifacts } from "./Artifacts.ts"
import { audit } from "./Audit.ts"
import { cancels, replays } from "./Jobs.ts"
import { catalog } from "./Catalog.ts"
import { deliveries } from "./Deliveries.ts"
import { executions } from "./Executions.ts"
import { queues } from "./Queues.ts"
import { type OwnedTable, tablesThat } from "./Ownership.ts"
import { schedules } from "./Schedules.ts"
import { service } from "./Service.ts"
import { tablesOf } from "./Tables.ts"
import { usage } from "./Usage.ts"

export const schema: ReadonlyArray<string> = [
  ...service,
  ...alerts,
  ...accounts,
  ...catalog,
  ...executions,
  ...queues,
  ...schedules,
  ...artifacts,
  ...deliveries,
  ...replays,
  ...cancels,
  ...audit,
  ...usage
]

const placed = (place: OwnedTable["placed"]): ReadonlyArray<string> => {
  const there = tablesThat((table) => table.placed === place)
  return tablesOf(schema).filter((table) => there.includes(table))
}

/** Tables of which every node of a distributed PostgreSQL has a copy. What others refer to comes first. */
export const copied = placed("copies")

/** Tables that only the coordinator has. All others are distributed by bucket. */
export const local = placed("coordinator")
