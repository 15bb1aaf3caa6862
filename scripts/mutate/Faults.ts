/** All faults, as `npm run mutate` tries them. */
import type { Fault } from "./Fault.ts"
import { auditing } from "./faults/Auditing.ts"
import { delivering } from "./faults/Delivering.ts"
import { fencing } from "./faults/Fencing.ts"
import { handedOver } from "./faults/HandingOver.ts"
import { keeping } from "./faults/Keeping.ts"
import { moving } from "./faults/Moving.ts"
import { promises } from "./faults/Promises.ts"
import { reading } from "./faults/Reading.ts"
import { redelivering } from "./faults/Redelivering.ts"
import { secrecy } from "./faults/Secrecy.ts"
import { showing } from "./faults/Showing.ts"
import { signingIn } from "./faults/SigningIn.ts"

export const faults: ReadonlyArray<Fault> = [
  ...fencing,
  ...moving,
  ...promises,
  ...keeping,
  ...delivering,
  ...handedOver,
  ...secrecy,
  ...signingIn,
  ...auditing,
  ...reading,
  ...redelivering,
  ...showing
]
