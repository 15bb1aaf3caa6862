/** What programs and pages tell of the service's rules, as the core has them. */
import { deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { deliveryAttemptsMax } from "@runhook/core/deliveries/steps/DeliveryBackoff"
import { recoverySeconds } from "@runhook/core/deliveries/claim/Receiver"
import { eventOnEntering, WebhookEventType } from "@runhook/core/deliveries/WebhookEventType"
import { ExecutionStatus, isTerminal } from "@runhook/core/executions/ExecutionStatus"
import * as Duration from "effect/Duration"

export const finished = ExecutionStatus.literals.filter(isTerminal)
const endings = new Set(finished.flatMap((status) => eventOnEntering(status) ?? []))

const lines = (values: Iterable<string>): string => Array.from(values, (value) => `  "${value}"`).join(",\n")

const number = (name: string, says: string, value: number): string =>
  `/** ${says} */\nexport const ${name} = ${value}\n`

const list = (name: string, says: string, values: Iterable<string>): string =>
  `/** ${says} */\nexport const ${name} = [\n${lines(values)}\n] as const\n`

const words = (name: string, says: string, values: Iterable<string>): string =>
  `/** ${says} */\nexport const ${name}: ReadonlySet<string> = new Set([\n${lines(values)}\n])\n`

export const rulesText = `/** Rules of the service. Generated from the core by \`npm run generate\`: do not edit. */

${[
  words("finishedStatuses", "Statuses in which nothing more happens to an execution.", finished),
  list("deliveryEventTypes", "Types of the events that are sent.", WebhookEventType.literals),
  words("endEvents", "Types of the events that tell how an execution ended.", endings),
  number("deliveryAttemptsMax", "Attempts of a delivery before it is given up.", deliveryAttemptsMax),
  number(
    "deliveryHoursMax",
    "Hours after which a delivery is given up in any case.",
    Duration.toHours(deliveryLifetime)
  ),
  number(
    "recoverySeconds",
    "Seconds over which a receiver that is back gets what waits for it.",
    recoverySeconds
  )
].join("\n")}`
