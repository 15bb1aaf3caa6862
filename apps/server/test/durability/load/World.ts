/** What everybody in a load shares. */
import type { Tenant } from "@runhook/test-support/world/Tenant"
import type { Chance } from "../Chance.ts"
import type { Calls } from "./Calls.ts"
import type { Recorder } from "./Recorder.ts"

export interface World {
  readonly calls: Calls
  readonly chance: Chance
  readonly recorder: Recorder
  readonly tenant: Tenant
  readonly callbackUrl: string
  /** The executions that were acknowledged, in their order. */
  readonly acknowledged: Array<string>
}
