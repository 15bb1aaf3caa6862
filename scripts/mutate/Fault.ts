/** A mutation of one line of the product, and the test that must catch it. */

export interface Fault {
  /** Names it on the command line. */
  readonly name: string
  /** What the product would do wrong. */
  readonly idea: string
  readonly file: string
  /** The text in the file, which occurs once, and its replacement. */
  readonly before: string
  readonly after: string
  readonly test: NamedTest
}

export interface NamedTest {
  readonly file: string
  /** Its title, or the part that all its cases share. */
  readonly title: string
  /** The case: the end of the whole title. */
  readonly ending?: string
  /** The file with the title, if it is another: a suite that several files run. */
  readonly suite?: string
}

/** A test of the suite of that name, as it runs for one of the stores. */
export const inStore = (
  store: "memory" | "pg",
  suite: string,
  title: string,
  ending?: string
): NamedTest => ({
  file:
    store === "memory"
      ? "packages/store-memory/test/MemoryStore.test.ts"
      : "packages/store-pg/test/PgStore.test.ts",
  suite: `packages/store-testing/src/${suite}.ts`,
  title,
  ...(ending === undefined ? {} : { ending })
})

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

/** As `vitest -t` takes it: an expression for the whole name of a test, with those of its suites before it. */
export const patternOf = ({ ending, title }: NamedTest): string =>
  ending === undefined ? escaped(title) : `${escaped(title)}.*${escaped(ending)}$`

/** How often a text occurs in another. */
const count = (text: string, part: string): number => text.split(part).length - 1

/** Why a fault cannot be tried, as a sentence; undefined when it can. `read` gives a file of the tree, or undefined. */
export const misfit = (fault: Fault, read: (file: string) => string | undefined): string | undefined => {
  const source = read(fault.file)
  if (source === undefined) return `there is no ${fault.file}`
  const times = count(source, fault.before)
  if (times !== 1) return `${JSON.stringify(fault.before)} stands ${times} times in ${fault.file}, not once`
  if (fault.before === fault.after) return "it changes nothing"
  if (read(fault.test.file) === undefined) return `there is no ${fault.test.file}`
  const titled = fault.test.suite ?? fault.test.file
  if (count(read(titled) ?? "", fault.test.title) === 0)
    return `${titled} has no test ${JSON.stringify(fault.test.title)}`
  return undefined
}
