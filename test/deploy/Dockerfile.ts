/** What a Dockerfile says, step by step. */

export interface Step {
  /** Such as `COPY`. */
  readonly name: string
  readonly flags: Readonly<Record<string, string>>
  readonly words: string
}

export interface Stage {
  readonly name: string
  /** The image that it begins with. */
  readonly base: string
  readonly steps: ReadonlyArray<Step>
}

export const stagesIn = (text: string): ReadonlyArray<Stage> => {
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "")
    .map(stepIn)
  const starts = lines.flatMap(({ name }, index) => (name === "FROM" ? [index] : []))
  return starts.map((start, index) => {
    const [base = "", , name = ""] = lines[start]?.words.split(" ") ?? []
    return { name, base, steps: lines.slice(start + 1, starts[index + 1]) }
  })
}

const stepIn = (line: string): Step => {
  const [, name = "", flags = "", words = ""] = /^(\w+) ((?:--\S+ )*)(.*)$/.exec(line) ?? []
  const pairs = [...flags.matchAll(/--([\w-]+)=(\S+)/g)].map(([, flag = "", value = ""]) => [flag, value])
  return { name, flags: Object.fromEntries(pairs), words }
}

/** The words of the steps of that name. */
export const wordsOf = (stage: Stage, name: string): ReadonlyArray<string> =>
  stage.steps.filter((step) => step.name === name).map(({ words }) => words)

/** A command that no shell reads. */
export const commandIn = (words: string | undefined): ReadonlyArray<string> =>
  JSON.parse(words?.replace(/^CMD /, "") ?? "").map(String)

/** Names and values of `ENV` and `LABEL`. */
export const pairsIn = (words: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    words.flatMap((each) =>
      [...each.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name = "", quoted, plain]) => [
        name,
        quoted ?? plain ?? ""
      ])
    )
  )
