/** All tables, in the order in which they are made. */
import { accounts } from "./Accounts.ts"
import { artifacts } from "./Artifacts.ts"
import { audit } from "./Audit.ts"
import { catalog } from "./Catalog.ts"
import { deliveries } from "./Deliveries.ts"
import { executions } from "./Executions.ts"
import { queues } from "./Queues.ts"
import { replays } from "./Replays.ts"
import { service } from "./Service.ts"
import { usage } from "./Usage.ts"

export const schema: ReadonlyArray<string> = [
  ...service,
  ...accounts,
  ...catalog,
  ...executions,
  ...queues,
  ...artifacts,
  ...deliveries,
  ...replays,
  ...audit,
  ...usage
]
