/** Ends the output of a run with a line for each failure, since a log that is too long loses all but its end. */
import type { Reporter, TestModule } from "vitest/node"

/** Longest line. */
const lineMax = 300

type Thrown = { readonly message: string }

/** Tests fail, and so do hooks of a suite and the imports of a file. */
const failuresOf = (file: TestModule): ReadonlyArray<readonly [name: string, error: Thrown | undefined]> => {
  const { children, relativeModuleId } = file
  return [
    ...file.errors().map((error) => ["", error] as const),
    ...[...children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => [` > ${suite.fullName}`, error] as const)
    ),
    ...[...children.allTests("failed")].map(
      (test) => [` > ${test.fullName}`, test.result().errors?.[0]] as const
    )
  ].map(([name, error]) => [relativeModuleId + name, error])
}

const lineOf = (name: string, error: Thrown | undefined): string =>
  `FAILED ${name}: ${error?.message.trimStart().split("\n", 1)[0] ?? "no error"}`.slice(0, lineMax)

export class Failures implements Reporter {
  onTestRunEnd(...[files, unhandled]: Parameters<NonNullable<Reporter["onTestRunEnd"]>>): void {
    const lines = [
      ...files.flatMap(failuresOf).map(([name, error]) => lineOf(name, error)),
      ...unhandled.map((error) => lineOf("outside of any test", error))
    ]
    if (lines.length > 0) process.stdout.write(`\n${lines.join("\n")}\n`)
  }
}
