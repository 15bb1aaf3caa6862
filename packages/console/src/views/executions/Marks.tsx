/** The callbacks of an execution at a glance: `done, but nobody was told` is seen without opening it. */
import type { AdminExecution } from "@runhook/sdk/admin"
import { Tries } from "../../parts/Tries.tsx"
import { callbackMarks } from "./Callbacks.ts"

export const Marks = ({ of }: { readonly of: AdminExecution }) =>
  of.callback_url === null ? <span class="quiet">none</span> : <Tries {...callbackMarks(of)} />
