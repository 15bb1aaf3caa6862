/** `npm run simulate`: plays the whole service with one seed after the other, until a rule is broken. */
import { parseArgs } from "node:util"
import { scaleOf, simulate } from "../../test/simulation/Simulation.ts"
import { shrink, storyOf } from "../../test/simulation/Story.ts"

const usage = "Usage: npm run simulate [-- --seed <first, default 1>] [--seeds <how many, default 1000>]"

const parsed = () => {
  try {
    return parseArgs({ options: { seed: { type: "string" }, seeds: { type: "string" } } }).values
  } catch {
    return undefined
  }
}

const { seed = "1", seeds = "1000" } = parsed() ?? { seed: "none" }
const [first, count] = [Number(seed), Number(seeds)]
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || count < 1) {
  console.error(usage)
  process.exit(2)
}

for (let number = first; number < first + count; number++) {
  const scale = scaleOf(String(number))
  const outcome = simulate(scale)
  if (outcome.breaches.length > 0) {
    const [smallest, shortest] = shrink(scale, outcome)
    console.error(
      [`Seed ${number} breaks a rule.`, ...storyOf(shortest), JSON.stringify(smallest)].join("\n")
    )
    process.exit(1)
  }
  if ((number - first + 1) % 100 === 0) console.log(`${number - first + 1} seeds, and every rule held`)
}
