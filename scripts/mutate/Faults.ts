/** All faults, as `npm run mutate` tries them. */
import type { Fault } from "./Fault.ts"
import { delivering } from "./faults/Delivering.ts"
import { fencing } from "./faults/Fencing.ts"
import { promises } from "./faults/Promises.ts"
import { secrecy } from "./faults/Secrecy.ts"

export const faults: ReadonlyArray<Fault> = [...fencing, ...promises, ...delivering, ...secrecy]
