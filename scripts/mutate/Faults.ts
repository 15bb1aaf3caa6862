/** All faults of `npm run mutate`: the rules that matter most, and whose loss the suites might miss. */
import type { Fault } from "./Fault.ts"
import { access } from "./faults/Access.ts"
import { fencing } from "./faults/Fencing.ts"
import { once } from "./faults/Once.ts"
import { order } from "./faults/Order.ts"
import { outside } from "./faults/Outside.ts"
import { secrecy } from "./faults/Secrecy.ts"

export const faults: ReadonlyArray<Fault> = [...access, ...fencing, ...once, ...order, ...outside, ...secrecy]
