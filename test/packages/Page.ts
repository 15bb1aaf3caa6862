/** A page of the documentation, as a reader follows it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../scripts/pack/PublicPackages.ts"

export interface Page {
  /** What `npm install` is given, without versions. */
  readonly installed: ReadonlyArray<string>
  /** Programs, by the name that stands above them, or else by their place on the page. */
  readonly programs: ReadonlyMap<string, string>
  /** What a shell is given, but for installing. */
  readonly commands: ReadonlyArray<string>
  /** What is shown as output. */
  readonly outputs: ReadonlyArray<string>
}

const block = /^(?:\[`([\w.-]+\.ts)`\][^\n]*\n\n)?```(\w+)\n([^]*?)^```/gm

export const read = (file: string): Page => {
  const blocks = [...readFileSync(join(root, file), "utf8").matchAll(block)].map(
    ([, name, language = "", text = ""]) => ({ name, language, text })
  )
  const of = (wanted: string) => blocks.filter(({ language }) => language === wanted)
  const isInstalling = ({ text }: { readonly text: string }) => /^npm install/m.test(text)
  return {
    installed: of("sh")
      .filter(isInstalling)
      .flatMap(({ text }) => text.replaceAll("\\\n", " ").match(/^npm install.*/gm) ?? [])
      .flatMap((line) => line.split(/\s+/).slice(2))
      .filter((word) => !word.startsWith("-"))
      .map((word) => word.replace(/(?<=.)@.*/, "")),
    programs: new Map(of("ts").map(({ name, text }, index) => [name ?? `program-${index + 1}.ts`, text])),
    commands: of("sh")
      .filter((each) => !isInstalling(each))
      .map(({ text }) => text),
    outputs: of("text").map(({ text }) => text)
  }
}
