/** All faults, as `npm run mutate` tries them: of what no suite would miss at once, and matters most. */
import type { Fault } from "./Fault.ts"
import { fencing } from "./faults/Fencing.ts"
import { once } from "./faults/Once.ts"
import { order } from "./faults/Order.ts"
import { secrecy } from "./faults/Secrecy.ts"

export const faults: ReadonlyArray<Fault> = [...fencing, ...once, ...order, ...secrecy]
