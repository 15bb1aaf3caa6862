/** Variables that look like settings and are none: a misspelt one would be ignored without a word. */

/** Whether Kubernetes or Docker sets it, for a service or a container that is called `runhook` or `runhook-…`. */
const isLink = (name: string, all: ReadonlyArray<string>): boolean =>
  /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?$/.test(name) ||
  (name.endsWith("_PORT") && all.includes(name.replace(/PORT$/, "SERVICE_HOST")))

/** How many characters must be changed, added or left out to make one name of the other. */
const distanceOf = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [place, its] of [...other].entries()) {
      const changed = (row[place] ?? 0) + (letter === its ? 0 : 1)
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

const prefix = "RUNHOOK_"

/** As far as a name may be from the one that was meant: half of its letters. */
const isNear = (name: string, distance: number): boolean => distance <= (name.length - prefix.length) / 2

/** A line for each variable that is no setting, with the setting that it may have meant. */
export const unknownIn = (
  variables: ReadonlyArray<string>,
  known: ReadonlyArray<string>
): ReadonlyArray<string> =>
  variables
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !isLink(name, variables))
    .map((name) => {
      const distances = known.map((other) => distanceOf(name, other))
      const least = Math.min(...distances)
      const nearest = known[distances.indexOf(least)]
      const meant = isNear(name, least) ? `did you mean ${nearest}? ` : ""
      return `${name} is not a setting, and is ignored: ${meant}\`runhook settings\` lists all`
    })
