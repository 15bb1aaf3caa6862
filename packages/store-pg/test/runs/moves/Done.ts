/** How the work of these tests ends. */
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
export const done = {
  outcome: { _tag: "Completed", result: StoredJson.of({ sum: 3 }) },
  fingerprint: "done"
} as const
