/** The callbacks of an execution at a glance: shows without a click that an outcome was not delivered. */
import type { AdminExecution } from "@runhook/sdk/admin"
import { AttemptDots } from "../../parts/Parts.ts"
import { callbackMarks } from "./Callbacks.ts"

export const CallbackDots = ({ of }: { readonly of: AdminExecution }) =>
  of.callback_url === null ? <span class="quiet">none</span> : <AttemptDots {...callbackMarks(of)} />
